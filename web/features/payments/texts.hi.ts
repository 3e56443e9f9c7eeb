import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  'Paying needs the network': 'भुगतान के लिए नेटवर्क ज़रूरी है',
  'Your bank disputes {amount} for {plan}': 'आपके बैंक ने {plan} के {amount} पर विवाद किया है',
  'Reported on {day}.': '{day} को सूचना मिली।',
  'We have been asked to answer your bank.': 'हमसे आपके बैंक को जवाब देने को कहा गया है।',
  'Your bank has our answer and is deciding.': 'हमारा जवाब आपके बैंक के पास है और वह फ़ैसला कर रहा है।',
  'Your plan continues meanwhile, and a refund of this payment waits. If your bank decides for you, the money is refunded with a credit note; a plan that is refunded in full ends.':
    'तब तक आपका प्लान चलता रहेगा और इस भुगतान का रिफ़ंड रुका रहेगा। बैंक का फ़ैसला आपके पक्ष में हुआ तो राशि क्रेडिट नोट के साथ लौटेगी; जिस प्लान की पूरी राशि लौटे, वह समाप्त हो जाता है।',
  'If you didn’t ask your bank for this, or it is settled, tell your bank.':
    'अगर आपने बैंक से यह नहीं कहा था, या बात सुलझ चुकी है, तो अपने बैंक को बताएँ।',
  'Contact support': 'सहायता से संपर्क करें',
  Payment: 'भुगतान',
  'Purchase order': 'परचेज़ ऑर्डर',
  'Purchase order {number}': 'परचेज़ ऑर्डर {number}',
  'Purchase order {number} of {day}': 'परचेज़ ऑर्डर {number}, दिनांक {day}',
  'Add a purchase order': 'परचेज़ ऑर्डर जोड़ें',
  Change: 'बदलें',
  'The documents of this payment name it, instead of the one in your business details.':
    'इस भुगतान के दस्तावेज़ों पर आपके व्यवसाय के विवरण वाले के बजाय यही लिखा जाएगा।',
  Number: 'नंबर',
  'Leave it empty to name none.': 'कुछ न लिखना हो तो खाली छोड़ें।',
  'A purchase order number has up to 16 letters, digits, - and /':
    'परचेज़ ऑर्डर नंबर में ज़्यादा से ज़्यादा 16 अक्षर, अंक, - और / होते हैं',
  'Date (optional)': 'तारीख़ (वैकल्पिक)',
  Cancel: 'रद्द करें',
  'Pay {amount}': '{amount} चुकाएँ',
  'Pay {amount} for all {count}': 'सभी {count} के लिए {amount} चुकाएँ',
  '{count} subscriptions are paid. The last one ends on {day}.':
    '{count} सब्सक्रिप्शन का भुगतान हो गया। आख़िरी {day} को समाप्त होगा।',
  'Opening checkout...': 'चेकआउट खुल रहा है...',
  'Paying...': 'भुगतान हो रहा है...',
  'Confirming...': 'पुष्टि हो रही है...',
  'Failed to create payment order': 'भुगतान का ऑर्डर नहीं बन सका',
  'Failed to initiate payment. Please try again.': 'भुगतान शुरू नहीं हो सका। कृपया फिर से कोशिश करें।',
  'Payment completed but verification failed. Please contact support if you face any issues.':
    'भुगतान पूरा हुआ, पर उसकी पुष्टि नहीं हो सकी। कोई परेशानी हो तो सहायता से संपर्क करें।',
  'If money left your account, don’t pay again: we will activate your plan or refund you automatically. This page updates automatically.':
    'अगर आपके खाते से राशि कट गई है तो दोबारा भुगतान न करें: उससे आपका प्लान मिल जाएगा या वह अपने आप लौट आएगी। यह पेज अपने आप अपडेट होता है।',
  'Payment received': 'भुगतान मिल गया',
  '{plan} is active: {period}.': '{plan} सक्रिय है: {period}।',
  '{plan} is prepaid: {period}.': '{plan} का अग्रिम भुगतान हो गया: {period}।',
  'It won’t renew automatically: our payment provider can’t take that at the moment.':
    'यह अपने-आप नवीनीकृत नहीं होगा: हमारा भुगतान प्रदाता अभी इसे नहीं ले सकता।',
  'Payment is being confirmed': 'भुगतान की पुष्टि हो रही है',
  'The payment provider has not confirmed it yet. This page updates automatically; do not pay again.':
    'भुगतान प्रदाता ने अभी इसकी पुष्टि नहीं की है। यह पेज अपने आप अपडेट होता है; दोबारा भुगतान न करें।',
  'Payment is still being confirmed': 'भुगतान की पुष्टि अभी बाकी है',
  'It shows here as soon as the provider confirms it. You may leave this page.':
    'पुष्टि होते ही यहाँ दिखेगा। आप यह पेज छोड़ सकते हैं।',
  'The payment came too late and is refunded': 'भुगतान देर से आया और वापस किया जा रहा है',
  'It could not start this subscription, so {amount} is refunded in full.':
    'इससे सब्सक्रिप्शन शुरू नहीं हो सका, इसलिए {amount} की पूरी राशि लौटाई जा रही है।',
  'The payment is refunded': 'भुगतान का रिफ़ंड होगा',
  'The bill had changed meanwhile, so {amount} is refunded in full.':
    'इस बीच बिल बदल गया था, इसलिए {amount} का पूरा रिफ़ंड होगा।',
  'The second payment is refunded': 'दूसरा भुगतान वापस किया जा रहा है',
  '{plan} was paid already, so the second payment of {amount} is refunded in full.':
    '{plan} का भुगतान पहले ही हो चुका था, इसलिए {amount} का दूसरा भुगतान पूरा लौटाया जा रहा है।',
  '{paid} If you paid twice, the second payment is refunded.':
    '{paid} अगर आपने दो बार भुगतान किया है, तो दूसरा भुगतान लौटा दिया जाएगा।',
  'Try again': 'फिर कोशिश करें',
  Dismiss: 'हटाएँ',
  'Payment not completed': 'भुगतान पूरा नहीं हुआ',
  'The checkout was closed. If you still pay in your UPI app, it shows here.':
    'चेकआउट बंद कर दिया गया। अगर आप फिर भी UPI ऐप में भुगतान करें, तो वह यहाँ दिखेगा।',
  '{reason} If an amount was debited, it will appear here or be refunded.':
    '{reason} अगर कोई राशि कटी है, तो वह यहाँ दिखेगी या लौटा दी जाएगी।',
  'Your GSTIN can’t be invoiced': 'आपके GSTIN पर इनवॉइस नहीं बन सकता',
  'Pay by bank transfer': 'बैंक ट्रांसफर से भुगतान करें',
};
