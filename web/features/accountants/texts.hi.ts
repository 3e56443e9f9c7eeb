import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  'Your accountant': 'आपका अकाउंटेंट',
  'Loading your accountant': 'आपका अकाउंटेंट लोड हो रहा है',
  'Failed to load your accountant': 'आपका अकाउंटेंट लोड नहीं हो सका',
  'On the 1st of each month we mail last month’s documents as a ZIP: PDFs, purchase register and usage.':
    'हर महीने की 1 तारीख़ को हम पिछले महीने के दस्तावेज़ ZIP में मेल करते हैं: PDF, ख़रीद रजिस्टर और उपयोग।',
  'Your accountant’s e-mail address': 'आपके अकाउंटेंट का ई-मेल पता',
  'We ask there first. Nothing is sent until your accountant confirms.':
    'पहले हम वहाँ पूछते हैं। अकाउंटेंट की पुष्टि से पहले कुछ नहीं भेजा जाता।',
  'Send request': 'अनुरोध भेजें',
  'Sending...': 'भेजा जा रहा है...',
  'We asked your accountant': 'हमने आपके अकाउंटेंट से पूछा है',
  '{email} has a mail with a link to confirm.': '{email} को पुष्टि के लिंक वाला मेल भेजा गया है।',
  'Your accountant was not asked': 'आपके अकाउंटेंट से पूछा नहीं जा सका',
  Address: 'पता',
  Status: 'स्थिति',
  'Asked on {day}, not confirmed yet': '{day} को पूछा गया, पुष्टि अभी बाकी है',
  'Asked on {day}, not answered in time': '{day} को पूछा गया, समय पर जवाब नहीं आया',
  'Gets your documents since {day}': '{day} से आपके दस्तावेज़ पाते हैं',
  'Link valid until': 'लिंक इस दिन तक मान्य',
  'Ask again': 'फिर से पूछें',
  'Switch off': 'बंद करें',
  'Stop mailing your accountant?': 'अकाउंटेंट को मेल भेजना बंद करें?',
  '{email} gets no more documents. To start again, your accountant has to confirm again.':
    '{email} को और दस्तावेज़ नहीं भेजे जाएँगे। फिर शुरू करने के लिए अकाउंटेंट को दोबारा पुष्टि करनी होगी।',
  'Keep it on': 'चालू रखें',
  'Switching off...': 'बंद हो रहा है...',
  'Your accountant gets no more mails': 'आपके अकाउंटेंट को अब मेल नहीं भेजे जाएँगे',
  'The mails could not be switched off': 'मेल बंद नहीं किए जा सके',
  'Monthly documents by mail': 'हर महीने के दस्तावेज़ मेल से',
  'Loading the request': 'अनुरोध लोड हो रहा है',
  'Failed to load the request': 'अनुरोध लोड नहीं हो सका',
  '{customer} wants to send invoices, vouchers, purchase register and usage to {email} on the 1st of each month.':
    '{customer} हर महीने की 1 तारीख़ को {email} पर इनवॉइस, वाउचर, ख़रीद रजिस्टर और उपयोग भेजना चाहते हैं।',
  'Do you want these mails?': 'क्या आप ये मेल चाहते हैं?',
  'Yes, send them': 'हाँ, भेजें',
  'No, thanks': 'नहीं, धन्यवाद',
  'You get the documents': 'दस्तावेज़ आपको भेजे जाते हैं',
  'The documents of {customer} go to {email} on the 1st of each month.':
    '{customer} के दस्तावेज़ हर महीने की 1 तारीख़ को {email} पर भेजे जाते हैं।',
  'Stop these mails': 'ये मेल बंद करें',
  'No more mails': 'अब मेल नहीं आएँगे',
  'Nothing of {customer} is sent to {email}. You don’t need to do anything.':
    '{customer} का कुछ भी {email} पर नहीं भेजा जाता। आपको कुछ नहीं करना है।',
  'This link has expired': 'इस लिंक की अवधि ख़त्म हो गई है',
  'Ask {customer} for a new one if you want the documents.': 'दस्तावेज़ चाहिए तो {customer} से नया लिंक माँगें।',
  'You get the documents from now on': 'अब से दस्तावेज़ आपको भेजे जाएँगे',
  'You get no more mails': 'अब आपको मेल नहीं आएँगे',
  'Your answer was not saved': 'आपका जवाब सहेजा नहीं जा सका',
  'Saving...': 'सहेजा जा रहा है...',
};
