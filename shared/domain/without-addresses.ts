/** A text without the e-mail addresses in it, for what is kept where an erasure can't reach them. */
export function withoutAddresses(text: string): string {
  return text.replaceAll(/[^\s<>"'(:,;]+@[^\s<>"'),;:]+/g, '…');
}
