/** Letters that Unicode does not take apart into a plain one and an accent. */
const whole: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
};

/** A text with its accents taken away: `Météo` is `Meteo`. Letters of other scripts stay. */
export const latinLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæÆœŒøØđĐðÐłŁþÞı]/g, (letter) => whole[letter] ?? letter);
