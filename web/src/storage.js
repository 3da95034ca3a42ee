// What the page remembers in this browser. If the browser stores nothing, values last until the
// page is closed or reloaded.

const unstored = new Map();

export function recall(key, otherwise) {
  try {
    const text = localStorage.getItem(`aji.${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return unstored.has(key) ? unstored.get(key) : otherwise;
  }
}

export function remember(key, value) {
  unstored.set(key, value);
  try {
    localStorage.setItem(`aji.${key}`, JSON.stringify(value));
  } catch {
    // `unstored` has it.
  }
}
