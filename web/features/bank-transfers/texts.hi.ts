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
  'If you deduct TDS, say so here before you transfer: the amount less TDS then pays too. Or transfer the full amount and declare the TDS afterwards: we pay it back to you.':
    'अगर आप TDS काटते हैं, तो ट्रांसफ़र से पहले यहाँ बताएँ: तब TDS घटाकर भेजी गई राशि से भी भुगतान हो जाता है। या पूरी राशि भेजें और बाद में TDS घोषित करें: वह राशि हम आपको लौटा देंगे।',
  'I deduct TDS': 'मैं TDS काटता/काटती हूँ',
  'Your TAN': 'आपका TAN',
  'Four letters, five digits, a letter': 'चार अक्षर, पाँच अंक, एक अक्षर',
  'Enter your TAN, such as MUMA12345B.': 'अपना TAN लिखें, जैसे MUMA12345B।',
  'Deducted from the value without GST': 'GST के बिना मूल्य पर कटौती',
  '10 %, professional services': '10 %, पेशेवर सेवाएँ',
  '2 %, technical services': '2 %, तकनीकी सेवाएँ',
  Save: 'सेव करें',
  Cancel: 'रद्द करें',
  Change: 'बदलें',
  'I don’t deduct TDS': 'मैं TDS नहीं काटता/काटती',
  'Or less {percent} % TDS ({tds})': 'या {percent} % TDS ({tds}) घटाकर',
  'Transfer either amount exactly. TAN {tan} stays for later transfers; send us the certificate in your billing history once you have it.':
    'दोनों में से कोई एक राशि ठीक-ठीक भेजें। TAN {tan} आगे के ट्रांसफ़र के लिए भी रहेगा; प्रमाणपत्र मिलने पर उसे अपने बिलिंग इतिहास में हमें भेजें।',
  'Your TDS could not be saved': 'आपका TDS सहेजा नहीं जा सका',
  'Your plan renews automatically, but nothing is debited for these days while we wait for your transfer.':
    'आपका प्लान अपने-आप नवीनीकृत होता है, पर जब तक हम आपके ट्रांसफ़र की प्रतीक्षा करते हैं, इन दिनों के लिए कुछ डेबिट नहीं होगा।',
  Close: 'बंद करें',
};
