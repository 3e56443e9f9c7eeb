const readWithinMs = 60_000;

/** Lets the browser save a text that this page has made. `type` is its media type. */
export function saveText(text: string, name: string, type: string): void {
  // Spreadsheets know UTF-8 by the byte order mark, which reading a response takes away.
  saveBlob(new Blob(['\uFEFF', text.replace(/^\uFEFF/, '')], { type: `${type};charset=utf-8` }), name);
}

/** Lets the browser save a file that this page holds. */
export function saveBlob(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  saveFrom(url, name);
  // A browser may begin to read it after the press.
  setTimeout(() => URL.revokeObjectURL(url), readWithinMs);
}

/** Lets the browser save what lies under an address. A server of another origin decides about the name itself. */
export function saveFrom(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
