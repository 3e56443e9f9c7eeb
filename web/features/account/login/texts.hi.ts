import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  'Your session has ended: not used for 30 minutes, 12 hours old, or ended elsewhere. Log in to go on.':
    'आपका सत्र समाप्त हो गया: 30 मिनट बिना उपयोग के, 12 घंटे पुराना, या कहीं और समाप्त। लॉगिन करें।',
  Login: 'लॉगिन',
  'One dashboard to manage everything': 'सब कुछ सँभालने के लिए एक डैशबोर्ड',
  'Activate plans, read your billing history and issue developer API keys for GST lookup and GST invoicing.':
    'GST लुकअप और GST इनवॉइसिंग के लिए प्लान सक्रिय करें, बिलिंग इतिहास देखें और डेवलपर API कुंजियाँ बनाएँ।',
  'Signup or Login': 'साइनअप या लॉगिन',
  'Your Google account is linked to all your products and subscriptions.':
    'आपका Google खाता आपके सभी उत्पादों और सब्सक्रिप्शन से जुड़ा है।',
  'See the APIs and their prices': 'API और उनकी कीमतें देखें',
  Plans: 'प्लान',
  'Start free, then prepay the months ahead.': 'मुफ़्त शुरू करें, फिर आगे के महीनों का अग्रिम भुगतान करें।',
  'Billing history': 'बिलिंग इतिहास',
  'Every payment, with its invoice to download.': 'हर भुगतान, डाउनलोड करने लायक इनवॉइस के साथ।',
  'Developer API keys': 'डेवलपर API कुंजियाँ',
  'Generate in seconds, revoke just as fast.': 'पलों में बनाएँ, उतनी ही जल्दी रद्द करें।',
  'Tax Lookup API': 'टैक्स लुकअप API',
  'Daily requests': 'दैनिक अनुरोध',
  'This cycle': 'यह चक्र',
  'Day 18 of 30': '30 में से 18वाँ दिन',
  '35,920 left': '35,920 शेष',
  'Growth, 30 days': 'Growth, 30 दिन',
  Active: 'सक्रिय',
  Paid: 'भुगतान हो गया',
  Invoice: 'इनवॉइस',
  '24/7 support': '24/7 सहायता',
  '99.9% uptime': '99.9% अपटाइम',
  'Login failed. Please try again.': 'लॉगिन नहीं हो सका। कृपया फिर से कोशिश करें।',
  'Loading Google sign-in': 'Google साइन-इन लोड हो रहा है',
  'Signing in': 'साइन इन हो रहा है',
  'Google sign-in could not be loaded': 'Google साइन-इन लोड नहीं हो सका',
  'Check the connection, and that nothing blocks scripts from Google on this page.':
    'कनेक्शन जाँचें और देखें कि इस पेज पर Google की स्क्रिप्ट रोकी तो नहीं जा रही।',
};
