import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  'Tax declaration': 'कर की घोषणा',
  'Loading your tax declaration': 'आपकी कर की घोषणा लोड हो रही है',
  'Failed to load your tax declaration': 'आपकी कर की घोषणा लोड नहीं हो सकी',
  'By uploading a letter you declare, dated today, that {gstin} belongs to a unit or developer in a Special Economic Zone. A letter of approval is suitable. Until then you are charged tax like any other business.':
    'पत्र अपलोड करके आप आज की तारीख में घोषणा करते हैं कि {gstin} किसी विशेष आर्थिक क्षेत्र की इकाई या डेवलपर का है। स्वीकृति पत्र उपयुक्त है। तब तक आपसे बाकी व्यवसायों की तरह कर लिया जाता है।',
  'By uploading a letter you declare, dated today, that your business is outside India. A certificate of incorporation or a tax certificate is suitable. Until then IGST is charged.':
    'पत्र अपलोड करके आप आज की तारीख में घोषणा करते हैं कि आपका व्यवसाय भारत के बाहर है। निगमन प्रमाणपत्र या कर प्रमाणपत्र उपयुक्त है। तब तक IGST लिया जाता है।',
  'The GST portal confirmed on {day} that {gstin} belongs to a unit or developer in a Special Economic Zone. No letter is needed.':
    'GST पोर्टल ने {day} को पुष्टि की कि {gstin} विशेष आर्थिक क्षेत्र की इकाई या डेवलपर का है। किसी पत्र की ज़रूरत नहीं।',
  'On {day} the GST portal did not list {gstin} as an active unit or developer in a Special Economic Zone.':
    '{day} को GST पोर्टल पर {gstin} विशेष आर्थिक क्षेत्र की सक्रिय इकाई या डेवलपर के रूप में दर्ज नहीं था।',
  'You are charged tax like any other business, and a letter does not change that. Have your registration corrected at the GST portal, or remove the mark above. Then save again.':
    'आपसे बाकी व्यवसायों की तरह कर लिया जाता है, और पत्र से यह नहीं बदलता। GST पोर्टल पर अपना पंजीकरण ठीक कराएँ, या ऊपर का निशान हटाएँ। फिर दोबारा सेव करें।',
  'Kind of registration': 'पंजीकरण का प्रकार',
  'You have declared that {gstin} belongs to a unit or developer in a Special Economic Zone, with this letter.':
    'आपने इस पत्र के साथ घोषणा की है कि {gstin} विशेष आर्थिक क्षेत्र की इकाई या डेवलपर का है।',
  'You have declared that your business is outside India, with this letter.':
    'आपने इस पत्र के साथ घोषणा की है कि आपका व्यवसाय भारत के बाहर है।',
  'PDF, JPEG or PNG, at most 1 MB. Only you and our tax team can see it.':
    'PDF, JPEG या PNG, अधिकतम 1 MB। इसे केवल आप और हमारी कर टीम देख सकती है।',
  'Declare and upload letter': 'घोषणा करें और पत्र अपलोड करें',
  'Replace letter': 'पत्र बदलें',
  'Uploading...': 'अपलोड हो रहा है...',
  'Your declaration is stored': 'आपकी घोषणा सहेज ली गई',
  'It applies to documents from now on. You can correct earlier invoices on the Billing Portal.':
    'यह अब से बनने वाले दस्तावेज़ों पर लागू है। पहले के इनवॉइस आप बिलिंग पोर्टल पर सुधार सकते हैं।',
  'This file is larger than 1 MB. Choose a smaller one.': 'यह फ़ाइल 1 MB से बड़ी है। छोटी फ़ाइल चुनें।',
  'This file is not a PDF, JPEG or PNG. Choose another one.': 'यह फ़ाइल PDF, JPEG या PNG नहीं है। दूसरी फ़ाइल चुनें।',
  'Your letter was not uploaded': 'आपका पत्र अपलोड नहीं हुआ',
  'Declared on': 'घोषणा की तारीख',
  Letter: 'पत्र',
  '{kilobytes} KB': '{kilobytes} KB',
  'Download letter': 'पत्र डाउनलोड करें',
  'Failed to download your letter': 'आपका पत्र डाउनलोड नहीं हो सका',
  Withdraw: 'वापस लें',
  'Withdrawing...': 'वापस लिया जा रहा है...',
  'Withdraw this declaration?': 'यह घोषणा वापस लें?',
  'From now on you are charged tax. Documents that were issued don’t change.':
    'अब से आपसे कर लिया जाएगा। जारी हो चुके दस्तावेज़ नहीं बदलते।',
  'Your declaration is withdrawn': 'आपकी घोषणा वापस ली गई',
  'Your declaration was not withdrawn': 'आपकी घोषणा वापस नहीं ली जा सकी',
  'Keep it': 'रहने दें',
};
