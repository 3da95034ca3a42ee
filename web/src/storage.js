// What the page remembers in this browser. If the browser forbids it, it lasts as long as the page.

const forgotten = new Map();

export function recall(key, otherwise) {
  try {
    const text = localStorage.getItem(`aji.${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return forgotten.has(key) ? forgotten.get(key) : otherwise;
  }
}

export function remember(key, value) {
  forgotten.set(key, value);
  try {
    localStorage.setItem(`aji.${key}`, JSON.stringify(value));
  } catch {
    // It stays in this page.
  }
}
