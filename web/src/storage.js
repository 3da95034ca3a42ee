// What the page remembers in this browser. A value that the browser does not store lasts until the
// page is closed or reloaded.

const unstored = new Map();

export function recall(key, otherwise) {
  if (unstored.has(key)) return unstored.get(key);
  try {
    const text = localStorage.getItem(`aji.${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(`aji.${key}`, JSON.stringify(value));
    unstored.delete(key);
  } catch {
    unstored.set(key, value);
  }
}
