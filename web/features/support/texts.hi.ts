import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  'Support Portal': 'सहायता पोर्टल',
  'Help with {service}.': '{service} के लिए सहायता।',
  'Reach {provider}': '{provider} से संपर्क',
  Email: 'ईमेल',
  Phone: 'फ़ोन',
  Hours: 'समय',
  Activation: 'एक्टिवेशन',
  'API documentation': 'API दस्तावेज़',
  'Every endpoint with its parameters and responses, as an OpenAPI document.':
    'हर कॉल, उसके पैरामीटर और जवाब, OpenAPI दस्तावेज़ में।',
  'Open API documentation': 'API दस्तावेज़ खोलें',
  'Write a message': 'संदेश लिखें',
  'Your message goes to the team that runs this API, with the id of this activation. Never send an API key.':
    'यह इस एक्टिवेशन की आईडी के साथ API चलाने वालों को जाता है। API कुंजी कभी न भेजें।',
  Subject: 'विषय',
  Message: 'संदेश',
  'What you did, what you got back, and the request id if there was one.':
    'आपने क्या किया, क्या जवाब आया, और जवाब में हो तो अनुरोध आईडी।',
  '{typed} of {most}': '{most} में से {typed}',
  'Send message': 'संदेश भेजें',
  'Sending...': 'भेजा जा रहा है...',
  'Message sent': 'संदेश भेज दिया गया',
  'We’ll reply by email.': 'जवाब ईमेल से आएगा।',
  'The message was not sent': 'संदेश नहीं भेजा गया',
  'Nothing is lost: your text is still here.': 'कुछ खोया नहीं है: आपका लिखा हुआ यहीं है।',
  'Your messages': 'आपके संदेश',
  'Loading messages': 'संदेश लोड हो रहे हैं',
  'Failed to load messages': 'संदेश लोड नहीं हो सके',
  'No messages yet.': 'आपने अभी तक कुछ नहीं लिखा है।',
  'Open the outbox of this test installation': 'इस टेस्ट इंस्टॉलेशन का आउटबॉक्स खोलें',
  'Enter a short subject': 'कुछ शब्दों में विषय लिखें',
  'Write your message': 'अपना संदेश लिखें',
};
