import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  Status: 'स्थिति',
  'Read the guides': 'मार्गदर्शिकाएँ पढ़ें',
  'Is an API down?': 'क्या कोई API बंद है?',
  'The newest {count} messages are shown. The download of your data has older ones.':
    'सबसे नए {count} संदेश दिखाए गए हैं। उनसे पुराने आपके डेटा के डाउनलोड में हैं।',
  'The {count} threads that changed last are shown. The download of your data has older ones.':
    'जो {count} बातचीत सबसे बाद में बदलीं, वे दिखाई गई हैं। उनसे पुरानी आपके डेटा के डाउनलोड में हैं।',
  'Attach files': 'फ़ाइलें जोड़ें',
  'PDF, PNG, JPEG, TXT or CSV: 5 files, 4 MB together. Never send an API key.':
    'PDF, PNG, JPEG, TXT या CSV: 5 फ़ाइलें, कुल 4 MB तक। API कुंजी कभी न भेजें।',
  'Remove {name}': '{name} हटाएँ',
  'These files can’t be sent: PDF, PNG, JPEG, TXT or CSV, 5 of 4 MB together.':
    'ये फ़ाइलें नहीं भेजी जा सकतीं: PDF, PNG, JPEG, TXT या CSV हों, 5 फ़ाइलें, कुल 4 MB तक।',
  Files: 'फ़ाइलें',
  'The file could not be read': 'फ़ाइल पढ़ी नहीं जा सकी',
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
  'We’ll reply here and by email.': 'जवाब यहाँ और ईमेल से आएगा।',
  'The message was not sent': 'संदेश नहीं भेजा गया',
  'Nothing is lost: your text is still here.': 'कुछ खोया नहीं है: आपका लिखा हुआ यहीं है।',
  'Your messages': 'आपके संदेश',
  'Loading the form': 'फ़ॉर्म लोड हो रहा है',
  'Loading messages': 'संदेश लोड हो रहे हैं',
  'Failed to load messages': 'संदेश लोड नहीं हो सके',
  'No messages yet.': 'आपने अभी तक कुछ नहीं लिखा है।',
  'Open the outbox of this test installation': 'इस टेस्ट इंस्टॉलेशन का आउटबॉक्स खोलें',
  'Ask anything, and read the replies.': 'कुछ भी पूछें, और जवाब पढ़ें।',
  About: 'किस बारे में',
  'Something else': 'कुछ और',
  'Your message goes to the team that runs the APIs. Never send an API key.':
    'यह API चलाने वालों को जाता है। API कुंजी कभी न भेजें।',
  'Waiting for our reply': 'हमारे जवाब का इंतज़ार',
  Answered: 'जवाब मिला',
  Closed: 'बंद',
  '{count, plural, one {# new reply} other {# new replies}}': '{count, plural, one {# नया जवाब} other {# नए जवाब}}',
  'Loading the thread': 'बातचीत लोड हो रही है',
  'Failed to load the thread': 'बातचीत लोड नहीं हो सकी',
  'Thread not found': 'बातचीत नहीं मिली',
  'The link may be incomplete, or the thread belongs to another account.':
    'लिंक अधूरा हो सकता है, या बातचीत किसी और खाते की है।',
  'See your messages': 'अपने संदेश देखें',
  You: 'आप',
  '{provider} support': '{provider} सहायता',
  '{count, plural, one {# file of this mail was not taken.} other {# files of this mail were not taken.}}':
    '{count, plural, one {इस मेल की # फ़ाइल नहीं ली गई।} other {इस मेल की # फ़ाइलें नहीं ली गईं।}}',
  Reply: 'जवाब दें',
  'Your reply': 'आपका जवाब',
  'This thread is closed. A new message opens it again.': 'यह बातचीत बंद है। नया संदेश इसे फिर खोलता है।',
  'Mark as solved': 'हल हो गया',
  'Thread closed': 'बातचीत बंद हुई',
  'Write in it whenever you need more help.': 'और मदद चाहिए तो इसी में लिखें।',
  'The thread could not be closed': 'बातचीत बंद नहीं हो सकी',
  'Enter a short subject': 'कुछ शब्दों में विषय लिखें',
  'Write your message': 'अपना संदेश लिखें',
};
