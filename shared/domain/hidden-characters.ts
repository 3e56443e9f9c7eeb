/** Format characters and broken halves of pairs. The joiners U+200C and U+200D are letters' shapes in Indian scripts, and join emoji. */
const hidden = /(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu;

/**
 * A text without characters that nobody sees: they make two names look the same, or turn the order of what follows, so that `exe.fdp` reads
 * `pdf.exe`.
 */
export function withoutHidden(text: string): string {
  return text.replaceAll(hidden, '');
}
