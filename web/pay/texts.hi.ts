import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  Payment: 'भुगतान',
  'Loading the payment...': 'भुगतान लोड हो रहा है...',
  'The payment could not be loaded': 'भुगतान लोड नहीं हो सका',
  'Try again': 'फिर कोशिश करें',
  '{customer} asks you to pay {seller}. You need no account.':
    '{customer} आपसे {seller} को भुगतान करने का अनुरोध करते हैं। आपको खाते की ज़रूरत नहीं है।',
  'Seller’s GSTIN': 'विक्रेता का GSTIN',
  API: 'API',
  Plan: 'प्लान',
  'for the plan that is running': 'चालू प्लान के लिए',
  'Purchase order': 'परचेज़ ऑर्डर',
  'Value without GST': 'GST के बिना मूल्य',
  'Total to pay': 'कुल देय राशि',
  Invoice: 'इनवॉइस',
  'Due on': 'देय तिथि',
  'Invoice total': 'इनवॉइस की कुल राशि',
  'Your e-mail address (optional)': 'आपका ई-मेल पता (वैकल्पिक)',
  'The invoice or receipt is sent there too, if you keep the checkout open until it says that you have paid. It is used for nothing else.':
    'अगर आप चेकआउट को भुगतान की पुष्टि होने तक खुला रखें, तो इनवॉइस या रसीद वहाँ भी भेजी जाएगी। इसका कोई और उपयोग नहीं होगा।',
  'Enter an e-mail address, such as accounts@example.com': 'ई-मेल पता लिखें, जैसे accounts@example.com',
  'Pay {amount}': '{amount} चुकाएँ',
  'By UPI, card, netbanking or wallet, through Razorpay.': 'Razorpay के ज़रिए UPI, कार्ड, नेटबैंकिंग या वॉलेट से।',
  'Opening checkout...': 'चेकआउट खुल रहा है...',
  'Confirming...': 'पुष्टि हो रही है...',
  'Pay by bank transfer': 'बैंक ट्रांसफर से भुगतान करें',
  'Transfer exactly this amount by NEFT, RTGS or IMPS.': 'NEFT, RTGS या IMPS से ठीक इतनी ही राशि भेजें।',
  'The account number is only for payments of {customer} to {seller}. Any other amount goes back in full. This page says when the transfer has arrived.':
    'यह खाता संख्या केवल {seller} को {customer} के भुगतान के लिए है। कोई और राशि पूरी लौटा दी जाती है। ट्रांसफ़र पहुँचने पर यह पेज बताएगा।',
  'Not paid': 'भुगतान नहीं हुआ',
  'The bank declined: {reason} Nothing was charged; try again or pay another way.':
    'बैंक ने मना किया: {reason} कोई राशि नहीं ली गई; फिर से कोशिश करें या दूसरे तरीके से चुकाएँ।',
  'The checkout was closed before a payment. If you approved one in your UPI app, this page shows it in a moment.':
    'भुगतान से पहले चेकआउट बंद हो गया। अगर आपने UPI ऐप में मंज़ूरी दी थी, तो यह पेज उसे थोड़ी देर में दिखाएगा।',
  'The checkout could not be opened. Check your connection and try again.':
    'चेकआउट नहीं खुल सका। अपना कनेक्शन जाँचें और फिर से कोशिश करें।',
  'No payment can be started right now. Nothing was charged. Try again in a few minutes.':
    'अभी कोई भुगतान शुरू नहीं हो सकता। कोई राशि नहीं ली गई। कुछ मिनट बाद फिर से कोशिश करें।',
  'This can’t be paid right now. Nothing was charged. Ask whoever sent the link.':
    'अभी इसका भुगतान नहीं हो सकता। कोई राशि नहीं ली गई। लिंक भेजने वाले से पूछें।',
  'Your reference: {id}': 'आपका संदर्भ: {id}',
  'This is paid': 'इसका भुगतान हो चुका है',
  'Nothing more is to be paid by this link.': 'इस लिंक से अब कुछ नहीं चुकाना है।',
  'Thank you, your payment was received': 'धन्यवाद, आपका भुगतान मिल गया',
  '{amount} was paid for {customer}, who has the papers.': '{customer} के लिए {amount} चुकाए गए; दस्तावेज़ उनके पास हैं।',
  'They are also on their way to {email}.': 'वे {email} पर भी भेजे जा रहे हैं।',
  'Your payment goes back to you': 'आपका भुगतान आपको लौटाया जा रहा है',
  'It could not be used: this was paid otherwise or ended meanwhile. The whole amount is refunded to where it came from, normally within 5 to 7 working days.':
    'इसका उपयोग नहीं हो सका: इस बीच इसका भुगतान किसी और तरह हो गया या यह समाप्त हो गया। पूरी राशि वहीं लौटाई जाएगी जहाँ से आई थी, आम तौर पर 5 से 7 कार्यदिवसों में।',
  'A payment is being confirmed': 'एक भुगतान की पुष्टि हो रही है',
  'Somebody has paid or is paying. Don’t pay again: this page says when it is confirmed, mostly within minutes.':
    'किसी ने भुगतान किया है या कर रहा है। दोबारा न चुकाएँ: पुष्टि होने पर यह पेज बताएगा, अक्सर कुछ मिनटों में।',
  'It is being debited': 'राशि डेबिट हो रही है',
  'The bank of {customer} was asked for a debit for this, which takes up to two days. It takes no second payment meanwhile.':
    '{customer} के बैंक से इसके लिए डेबिट माँगा गया है, जिसमें दो दिन तक लगते हैं। तब तक दूसरा भुगतान नहीं लिया जाता।',
  'This link was withdrawn': 'यह लिंक वापस ले लिया गया है',
  'It can’t be paid by any more. If you were to pay, ask whoever sent it for the new link.':
    'अब इससे भुगतान नहीं हो सकता। अगर भुगतान आपको करना था, तो भेजने वाले से नया लिंक माँगें।',
  'There is nothing to pay': 'चुकाने के लिए कुछ नहीं है',
  'What this link was for has been removed or replaced. If you were to pay, ask whoever sent it for the new link.':
    'यह लिंक जिसके लिए था, वह हटा या बदल दिया गया है। अगर भुगतान आपको करना था, तो भेजने वाले से नया लिंक माँगें।',
  'The offer has changed': 'ऑफ़र बदल गया है',
  'What this link was for is no longer sold as it was. Ask whoever sent it to choose again and to send you a new link.':
    'यह लिंक जिसके लिए था, वह अब पहले जैसा नहीं बिकता। भेजने वाले से कहें कि फिर से चुनें और आपको नया लिंक भेजें।',
  'This can’t be paid right now': 'अभी इसका भुगतान नहीं हो सकता',
  'Nothing was charged. Ask whoever sent the link.': 'कोई राशि नहीं ली गई। लिंक भेजने वाले से पूछें।',
  'This link leads nowhere': 'यह लिंक कहीं नहीं ले जाता',
  'It may have been cut off on its way. Open it once more from the message, or ask for it again.':
    'शायद यह रास्ते में कट गया। संदेश से इसे एक बार फिर खोलें, या इसे दोबारा माँगें।',
  'Questions? Write to {email}.': 'कोई सवाल? {email} पर लिखें।',
};
