/** Markdown and HTML without their marks, in one line. A mark ends where the next begins: else each would be read to the end of the text. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replaceAll(/[*_`#>|]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Its first sentence, or as much of it as fits on a card. */
export function firstSentence(text: string): string {
  const [sentence = ''] = text.split(/(?<=[.!?])\s/, 1);
  return sentence.length <= 160 ? sentence : `${sentence.slice(0, 157).replace(/\s+\S*$/, '')}…`;
}
