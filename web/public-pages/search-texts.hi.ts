import type { Catalogue } from '#web/language/language.ts';

/** The texts of /search in Hindi, by their English. */
export const hindi: Catalogue = {
  Search: 'खोजें',
  'Search: {query}': 'खोज: {query}',
  'APIs, operations, errors, plans and guides.': 'API, ऑपरेशन, त्रुटियाँ, प्लान और मार्गदर्शिकाएँ।',
  '{count, plural, =0 {Nothing found} one {# page} other {# pages}} for “{query}”':
    '“{query}” के लिए {count, plural, =0 {कुछ नहीं मिला} one {# पेज} other {# पेज}}',
  'Try other or fewer words, or look through': 'दूसरे या कम शब्द आज़माएँ, या देखें',
  'all APIs': 'सभी API',
  Page: 'पेज',
  API: 'API',
  APIs: 'API',
  Prices: 'मूल्य',
  Reference: 'संदर्भ',
  Operation: 'ऑपरेशन',
  Operations: 'ऑपरेशन',
  Changes: 'बदलाव',
  Status: 'स्थिति',
  Guide: 'मार्गदर्शिका',
  Guides: 'मार्गदर्शिकाएँ',
};
