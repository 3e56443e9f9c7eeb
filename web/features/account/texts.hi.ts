import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  'Business details': 'व्यवसाय का विवरण',
  'Shown on your invoices, and used to contact you about a payment.':
    'आपके इनवॉइस पर क्या लिखा जाए और भुगतान के बारे में किससे बात की जाए।',
  'Failed to load account data': 'खाते का डेटा लोड नहीं हो सका',
  'Loading business details': 'व्यवसाय का विवरण लोड हो रहा है',
  'Why we ask': 'यह क्यों पूछा जाता है',
  'A tax invoice must name the buyer and the State of supply: it decides between CGST with SGST, and IGST. With a GSTIN on it you can claim the tax as input credit. Without one, leave the field empty.':
    'टैक्स इनवॉइस पर ख़रीदार और आपूर्ति का राज्य होना ज़रूरी है: इसी से तय होता है कि CGST और SGST लगेगा या IGST। GSTIN होने पर आप इस टैक्स का इनपुट क्रेडिट ले सकते हैं। GSTIN न हो तो यह जगह ख़ाली छोड़ें।',
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
  'The GST portal doesn’t list this GSTIN as an active unit or developer in a Special Economic Zone. Remove the mark, or have the registration corrected and try again':
    'GST पोर्टल पर यह GSTIN विशेष आर्थिक क्षेत्र की सक्रिय इकाई या डेवलपर के रूप में दर्ज नहीं है। यह निशान हटाएँ, या पंजीकरण ठीक कराएँ और फिर कोशिश करें',
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
  'API key revoked': 'API कुंजी रद्द की गई',
  'Account blocked': 'खाता रोका गया',
  'Account unblocked': 'खाते से रोक हटाई गई',
  'Plan granted': 'प्लान दिया गया',
  'Another change': 'अन्य बदलाव',
  'Changes by the provider': 'प्रदाता द्वारा किए गए बदलाव',
  'What we changed in your account, and why.': 'हमने आपके खाते में क्या बदला, और क्यों।',
};
