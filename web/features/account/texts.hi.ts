import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  Account: 'खाता',
  'Parts of the account': 'खाते के भाग',
  Members: 'सदस्य',
  'Business details': 'व्यवसाय का विवरण',
  'Failed to load account data': 'खाते का डेटा लोड नहीं हो सका',
  'Loading business details': 'व्यवसाय का विवरण लोड हो रहा है',
  'Why we ask': 'यह क्यों पूछा जाता है',
  'Your invoices show these, and we use them to contact you about a payment. A tax invoice must name the buyer and the State of supply: it decides between CGST with SGST, and IGST. With a GSTIN on it you can claim the tax as input credit. Without one, leave the field empty.':
    'ये आपके इनवॉइस पर दिखते हैं, और भुगतान के बारे में बात करने के काम आते हैं। टैक्स इनवॉइस पर ख़रीदार और आपूर्ति का राज्य होना ज़रूरी है: इसी से तय होता है कि CGST और SGST लगेगा या IGST। GSTIN होने पर आप इस टैक्स का इनपुट क्रेडिट ले सकते हैं। GSTIN न हो तो यह जगह ख़ाली छोड़ें।',
  'Add these once to continue to the payment.': 'भुगतान पर आगे बढ़ने के लिए ये एक बार भरें।',
  'Signed in with Google as': 'Google से साइन इन हैं',
  'Legal name': 'कानूनी नाम',
  'The name on your invoices.': 'वह नाम जिस पर इनवॉइस बनता है।',
  Phone: 'फ़ोन',
  'Purchase order (optional)': 'परचेज़ ऑर्डर (वैकल्पिक)',
  'Shown on the invoices of your next payments, until you change it.':
    'आपके अगले भुगतानों के इनवॉइस पर दिखता है, जब तक आप इसे न बदलें।',
  'Date of the purchase order': 'परचेज़ ऑर्डर की तारीख़',
  'With country code: +91 98765 43210': 'देश के कोड के साथ: +91 98765 43210',
  'GSTIN (optional)': 'GSTIN (वैकल्पिक)',
  '15 letters and digits, as on your registration certificate.': '15 अक्षर और अंक, जैसे आपके पंजीकरण प्रमाणपत्र पर हैं।',
  'A GSTIN has 15 characters; this one has {length}.': 'GSTIN में 15 वर्ण होते हैं, इसमें {length} हैं।',
  'A GSTIN contains only A-Z and 0-9. Check position {positions}.':
    'GSTIN में केवल A-Z और 0-9 होते हैं; स्थान {positions} देखें।',
  "''{stateCode}'' is not a state code of GST registrations.": "''{stateCode}'' GST पंजीकरण का राज्य कोड नहीं है।",
  'Position {position} does not fit a GSTIN.': 'स्थान {position} का वर्ण GSTIN के अनुसार नहीं है।',
  'The four digits of a PAN run from 0001 to 9999.': 'PAN के चार अंक 0001 से 9999 तक होते हैं।',
  "The last character should be ''{expected}'', not ''{actual}'': one of the 15 characters is mistyped.":
    "अंतिम वर्ण ''{actual}'' नहीं, ''{expected}'' होना चाहिए: 15 में से कोई वर्ण ग़लत लिखा गया है।",
  'Valid GSTIN, registered in {state}': 'सही नंबर, {state} में पंजीकृत।',
  'PIN {pin} lies in {states}, not in {state}. Correct the PIN code or the State.':
    'पिन {pin} {states} में है, {state} में नहीं। पिन कोड या राज्य ठीक करें।',
  'PIN {pin} lies in {states}, but the GSTIN is registered in {state}. Correct the PIN code or the GSTIN.':
    'पिन {pin} {states} में है, पर GSTIN {state} में पंजीकृत है। पिन कोड या GSTIN ठीक करें।',
  Address: 'पता',
  City: 'शहर',
  'Documents can’t show {character}: use Latin, Greek or Cyrillic letters, or a script of India':
    'दस्तावेज़ों में {character} नहीं छप सकता: लैटिन, ग्रीक या सिरिलिक अक्षर लिखें, या भारत की कोई लिपि',
  'PIN code': 'पिन कोड',
  'Postal code': 'डाक कोड',
  Country: 'देश',
  'No GSTIN or State is needed outside India: the sale is an export.':
    'भारत के बाहर GSTIN और राज्य नहीं पूछे जाते: यह निर्यात है।',
  'A unit or developer in a Special Economic Zone': 'विशेष आर्थिक क्षेत्र (SEZ) की इकाई या डेवलपर',
  'A GSTIN doesn’t show this. IGST applies to such supplies.': 'GSTIN से यह पता नहीं चलता। ऐसी आपूर्ति पर IGST लगता है।',
  State: 'राज्य',
  'Taken from the GSTIN.': 'GSTIN के अनुसार।',
  'Choose the State': 'राज्य चुनें',
  Save: 'सेव करें',
  'Save and continue': 'सेव करके आगे बढ़ें',
  'Business details saved': 'व्यवसाय का विवरण सेव हो गया',
  Cancel: 'रद्द करें',
  'Enter the name for your invoices': 'वह नाम लिखें जो इनवॉइस पर आए',
  'Enter a phone number, such as +91 98765 43210': 'फ़ोन नंबर लिखें, जैसे +91 98765 43210',
  'A GSTIN has 15 letters and digits': 'GSTIN में 15 अक्षर और अंक होते हैं',
  'Enter the address for your invoices': 'वह पता लिखें जो इनवॉइस पर आए',
  'Enter the city': 'शहर लिखें',
  'The GST portal doesn’t list this GSTIN as an active unit or developer in a Special Economic Zone. Remove the mark, or have the registration corrected and try again after an hour':
    'GST पोर्टल पर यह GSTIN विशेष आर्थिक क्षेत्र की सक्रिय इकाई या डेवलपर के रूप में दर्ज नहीं है। यह निशान हटाएँ, या पंजीकरण ठीक कराएँ और एक घंटे बाद फिर कोशिश करें',
  'A PIN code has six digits': 'पिन कोड में छह अंक होते हैं',
  'Choose the country': 'देश चुनें',
  'A purchase order number has up to 16 letters, digits, - and /':
    'परचेज़ ऑर्डर नंबर में ज़्यादा से ज़्यादा 16 अक्षर, अंक, - और / होते हैं',
  'Enter the number of the purchase order too': 'परचेज़ ऑर्डर का नंबर भी लिखें',
  Mails: 'मेल',
  'Choose what we mail you. Invoices and other documents, disputes and security warnings are always sent.':
    'चुनें कि हम आपको क्या मेल करें। इनवॉइस और दूसरे दस्तावेज़, विवाद और सुरक्षा की चेतावनियाँ हमेशा भेजी जाती हैं।',
  'A plan is about to end': 'कोई प्लान समाप्त होने वाला है',
  'Usage reaches 60, 80 or 100 % of a quota': 'उपयोग कोटा के 60, 80 या 100 % तक पहुँचा',
  'A payment failed': 'कोई भुगतान विफल हुआ',
  'A refund has arrived': 'रिफ़ंड पहुँच गया',
  'A webhook was switched off': 'कोई webhook बंद किया गया',
  'Your choice is saved': 'आपका चुनाव सहेजा गया',
  'Your choice could not be saved': 'आपका चुनाव सहेजा नहीं जा सका',
  'Support has replied': 'सहायता ने जवाब दिया',
  'Support has replied, also in threads of others': 'सहायता ने जवाब दिया, दूसरों की बातचीत में भी',
  'Invoices and other documents, refunds and disputes': 'इनवॉइस और दूसरे दस्तावेज़, रिफ़ंड और विवाद',
  'Bills that are paid later': 'बाद में चुकाए जाने वाले बिल',
  'Renewals by mandate': 'मैंडेट से रिन्यूअल',
  'Changes of an API or of its limits': 'API या उसकी सीमाओं में बदलाव',
  'Warnings about keys': 'कुंजियों के बारे में चेतावनियाँ',
  'Choose what we mail you. Warnings about keys are always sent.':
    'चुनें कि हम आपको क्या मेल करें। कुंजियों के बारे में चेतावनियाँ हमेशा भेजी जाती हैं।',
  'Choose what we mail you. The owner gets invoices and other documents in any case.':
    'चुनें कि हम आपको क्या मेल करें। इनवॉइस और दूसरे दस्तावेज़ मालिक को हर हाल में मिलते हैं।',
  'Choose what we mail you. Without a choice you get nothing.': 'चुनें कि हम आपको क्या मेल करें। बिना चुने आपको कुछ नहीं मिलता।',
  Activity: 'गतिविधि',
  'Your data': 'आपका डेटा',
  'Everything that we keep about you, as one ZIP: readable by programs, with all documents.':
    'आपके बारे में हम जो कुछ रखते हैं, एक ZIP में: प्रोग्राम से पढ़ने योग्य, सभी दस्तावेज़ों के साथ।',
  'Download your data': 'अपना डेटा डाउनलोड करें',
  'The download has started': 'डाउनलोड शुरू हो गया',
  'Your browser shows its progress. With many documents it takes a while.':
    'प्रगति ब्राउज़र दिखाता है। दस्तावेज़ बहुत हों तो समय लगता है।',
  'Your data could not be downloaded': 'आपका डेटा डाउनलोड नहीं हो सका',
  'Erase your account': 'अपना खाता मिटाएँ',
  'We delete everything that names you: your name, address, keys, support threads, request log and mails.':
    'आपकी पहचान बताने वाली हर चीज़ हम मिटा देते हैं: नाम, पता, की, सहायता की बातचीत, अनुरोध लॉग और मेल।',
  'Invoices and the records of their payments stay as the law requires, at least until {day}.':
    'इनवॉइस और उनके भुगतानों के रिकॉर्ड क़ानून के अनुसार रहते हैं, कम से कम {day} तक।',
  'Ask to be erased': 'मिटाने का अनुरोध करें',
  'Loading your request': 'आपका अनुरोध लोड हो रहा है',
  'Your request could not be loaded': 'आपका अनुरोध लोड नहीं हो सका',
  'Ask us to erase your account?': 'क्या खाता मिटाने का अनुरोध करें?',
  'Your keys stop working and your plans end when we carry it out. Refunds are paid first. Download your data and invoices before.':
    'जब हम इसे पूरा करेंगे तब आपकी की काम करना बंद कर देंगी और प्लान समाप्त हो जाएँगे। रिफ़ंड पहले दिए जाते हैं। उससे पहले अपना डेटा और इनवॉइस डाउनलोड कर लें।',
  'Keep my account': 'खाता रखें',
  'You asked to be erased': 'आपका अनुरोध मिल गया',
  'You can take this back until we carry it out.': 'जब तक हम इसे पूरा न करें, आप इसे वापस ले सकते हैं।',
  'You asked for this on {time}. We write to you when it is done.':
    'आपने यह अनुरोध {time} को किया। पूरा होने पर हम आपको लिखेंगे।',
  'Take the request back': 'अनुरोध वापस लें',
  'Your request is taken back': 'अनुरोध वापस ले लिया गया',
  'Your request could not be changed': 'अनुरोध बदला नहीं जा सका',
};
