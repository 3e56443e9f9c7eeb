import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  APIs: 'API',
  'What each API does, what it costs, and how to call it.': 'हर API क्या करता है, उसका मूल्य क्या है, और उसे कैसे कॉल करें।',
  'APIs of {provider}: {names}. Features, prices with GST and documentation.':
    '{provider} के API: {names}। सुविधाएँ, GST सहित मूल्य और दस्तावेज़।',
  'All APIs': 'सभी API',
  Pricing: 'मूल्य',
  'Prices in rupees, before and with GST. A plan renews by itself only if you agree to it.':
    'मूल्य रुपयों में, GST से पहले और GST सहित। प्लान अपने आप तभी नवीनीकृत होता है, जब आप सहमत हों।',
  'Plans and prices of every API of {provider}, before and with GST, with their quotas.':
    '{provider} के हर API के प्लान और मूल्य, GST से पहले और GST सहित, उनके कोटे के साथ।',
  'About {name}': '{name} के बारे में',
  'Prices of {name}': '{name} के मूल्य',
  'Plans and prices': 'प्लान और मूल्य',
  Plan: 'प्लान',
  Period: 'अवधि',
  'Before GST': 'GST से पहले',
  GST: 'GST',
  'You pay': 'आप देंगे',
  'Units per day': 'प्रतिदिन यूनिट',
  'Units in the period': 'अवधि में यूनिट',
  'Requests per second': 'प्रति सेकंड अनुरोध',
  'for {days}': '{days} के लिए',
  '{before} + {gst} GST': '{before} + {gst} GST',
  'Nothing to pay, no card needed': 'कोई भुगतान नहीं, कार्ड की ज़रूरत नहीं',
  'Start free': 'मुफ़्त शुरू करें',
  'Activate for {price}': '{price} में सक्रिय करें',
  'Start {plan} of {product}': '{product} का {plan} शुरू करें',
  'Get a key': 'कुंजी पाएँ',
  'See plans': 'प्लान देखें',
  Questions: 'प्रश्न',
  'All changes': 'सभी बदलाव',
  'Changes in {name}': '{name} में बदलाव',
  'What changed in {name}, and what will stop working, by date.':
    '{name} में क्या बदला, और क्या काम करना बंद करेगा, तारीख के अनुसार।',
  'Nothing has changed so far.': 'अब तक कुछ नहीं बदला है।',
  'New features, and what will stop working, are listed here with their dates.':
    'नई सुविधाएँ, और जो काम करना बंद करेगा, यहाँ तारीख़ के साथ होते हैं।',
  Guides: 'मार्गदर्शिकाएँ',
  'From the first call to webhooks, step by step.': 'पहली कॉल से webhook तक, चरण दर चरण।',
  'How to call the APIs of {provider}: keys, errors, limits and webhooks, step by step.':
    '{provider} के API कैसे कॉल करें: कुंजियाँ, त्रुटियाँ, सीमाएँ और webhook, चरण दर चरण।',
  'OpenAPI document': 'OpenAPI दस्तावेज़',
  Reference: 'संदर्भ',
  'Reference of {name}': '{name} का संदर्भ',
  '{count, plural, one {# operation} other {# operations}} of {name}: parameters, examples, errors and what counts.':
    '{name} के {count, plural, one {# ऑपरेशन} other {# ऑपरेशन}}: पैरामीटर, उदाहरण, त्रुटियाँ और क्या गिना जाता है।',
  '{summary}: parameters, responses, errors and samples. {name}.': '{summary}: पैरामीटर, उत्तर, त्रुटियाँ और नमूने। {name}।',
  Parameters: 'पैरामीटर',
  'This page does not show every field. All are here:': 'यह पेज हर फ़ील्ड नहीं दिखाता। सभी यहाँ हैं:',
  'Previous and next': 'पिछला और अगला',
  Previous: 'पिछला',
  Next: 'अगला',
  Samples: 'नमूने',
  'The samples take your key from the environment variable API_KEY.': 'नमूने आपकी कुंजी पर्यावरण चर API_KEY से लेते हैं।',
  'APIs, prices and documentation': 'API, मूल्य और दस्तावेज़',
  'Plans from {price} with GST': 'प्लान {price} से, GST सहित',
  'This page could not be shown': 'यह पेज नहीं दिखाया जा सका',
  'It is too large to be made here. The OpenAPI document of the API has everything that it would say.':
    'यह यहाँ बनाने के लिए बहुत बड़ा है। इसमें जो होता, वह सब API के OpenAPI दस्तावेज़ में है।',
  'Page not found': 'पेज नहीं मिला',
  'There is nothing at this address. It may have moved, or is no longer offered.':
    'इस पते पर कुछ नहीं है। हो सकता है यह कहीं और चला गया हो, या अब उपलब्ध न हो।',
  'Sign in': 'साइन इन करें',
};
