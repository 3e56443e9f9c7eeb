import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  Owner: 'स्वामी',
  Developer: 'डेवलपर',
  Accountant: 'अकाउंटेंट',
  Viewer: 'दर्शक',
  'This page is not for your role': 'यह पेज आपकी भूमिका के लिए नहीं है',
  'Your role here: {role}. Ask the owner of the account if you need more.':
    'यहाँ आपकी भूमिका: {role}। और चाहिए तो खाते के स्वामी से कहें।',
  'Back to the marketplace': 'मार्केटप्लेस पर वापस',
  'Not for your role ({role}). Ask the owner of the account.': 'आपकी भूमिका ({role}) के लिए नहीं। खाते के स्वामी से कहें।',
  'Your accounts': 'आपके खाते',
  'Account: {customer}. Switch to another': 'खाता: {customer}। दूसरे पर जाएँ',
  'The account was not opened': 'खाता खोला नहीं जा सका',
  'Create my own account': 'अपना खाता बनाएँ',
  'Your account was not created': 'आपका खाता नहीं बन सका',
  'It may be in another of your accounts': 'यह आपके किसी और खाते में हो सकता है',
  'Open it in {customer}': '{customer} में खोलें',
};
