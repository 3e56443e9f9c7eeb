import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  'Transfer exactly this amount by NEFT, RTGS or IMPS. {plan} starts as soon as it arrives.':
    'NEFT, RTGS या IMPS से ठीक इतनी ही राशि भेजें। राशि पहुँचते ही {plan} शुरू हो जाएगा।',
  Amount: 'राशि',
  'Account number': 'खाता संख्या',
  IFSC: 'IFSC',
  'Account name': 'खाते का नाम',
  Bank: 'बैंक',
  'This account number is yours alone. Any other amount can’t be matched and is refunded in full.':
    'यह खाता संख्या केवल आपकी है। कोई और राशि मिलाई नहीं जा सकती और पूरी लौटा दी जाती है।',
  'If you deduct TDS, transfer the full amount and declare the TDS afterwards: we pay it back to you.':
    'अगर आप TDS काटते हैं, तो पूरी राशि भेजें और बाद में TDS बताएँ: वह राशि हम आपको लौटा देंगे।',
  'Your plan renews automatically, but nothing is debited for these days while we wait for your transfer.':
    'आपका प्लान अपने-आप नवीनीकृत होता है, पर जब तक हम आपके ट्रांसफ़र की प्रतीक्षा करते हैं, इन दिनों के लिए कुछ डेबिट नहीं होगा।',
  Close: 'बंद करें',
};
