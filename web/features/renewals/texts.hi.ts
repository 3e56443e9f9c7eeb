/** Hindi for the renewal of a plan by mandate. */
export const hindi: Record<string, string> = {
  'Renew automatically': 'अपने-आप नवीनीकृत करें',
  'Debited by': 'डेबिट का तरीका',
  UPI: 'UPI',
  Card: 'कार्ड',
  'Renew automatically by UPI, with your PIN each time': 'UPI से अपने-आप नवीनीकृत करें, हर बार आपके PIN के साथ',
  '{plan} renews each time it ends, at most {ceiling} per debit, until {end}.':
    '{plan} हर बार समाप्त होने पर नवीनीकृत होता है, हर डेबिट अधिकतम {ceiling}, {end} तक।',
  'The next debit is on or after {day}. We write to you the day before. Turn it off at any time.':
    'अगला डेबिट {day} को या उसके बाद होगा। उससे एक दिन पहले हम आपको लिखते हैं। इसे कभी भी बंद करें।',
  'Automatic renewal': 'अपने-आप नवीनीकरण',
  'It renews automatically, so the next period follows.': 'यह अपने-आप नवीनीकृत होता है, इसलिए अगली अवधि इसके बाद आती है।',
  Plan: 'प्लान',
  'At most': 'अधिकतम',
  '{amount} per debit': 'हर डेबिट {amount}',
  Until: 'तक',
  'Next debit': 'अगला डेबिट',
  '{amount}, on or after {day}': '{amount}, {day} को या उसके बाद',
  '{amount} was asked for. Your bank answers in a day or two. You can pay yourself once it has, or from {until}: before, both could be taken.':
    '{amount} माँगा गया है। आपका बैंक एक-दो दिन में जवाब देता है। उसके बाद, या {until} से, आप ख़ुद भुगतान कर सकते हैं: उससे पहले दोनों राशियाँ कट सकती हैं।',
  'Next period': 'अगली अवधि',
  'Your UPI app asks for your PIN each time.': 'आपका UPI ऐप हर बार आपका PIN माँगता है।',
  'Skip the next debit': 'अगला डेबिट छोड़ें',
  'Skip this debit?': 'यह डेबिट छोड़ें?',
  '{amount} would be debited on or after {day}.': '{amount} {day} को या उसके बाद डेबिट होगा।',
  'Skipping...': 'छोड़ा जा रहा है...',
  'The next debit is skipped': 'अगला डेबिट छोड़ दिया गया है',
  'Keep the debit': 'डेबिट होने दें',
  'Your plan ends on {end}, unless you pay for the next period yourself.':
    'आपका प्लान {end} को समाप्त होगा, जब तक आप अगली अवधि का भुगतान ख़ुद न करें।',
  'Debit it after all': 'डेबिट होने दें',
  'Saving...': 'सहेजा जा रहा है...',
  'Your plan renews again': 'आपका प्लान फिर से नवीनीकृत होगा',
  'Nothing was changed': 'कुछ भी नहीं बदला गया',
  'Turn off': 'बंद करें',
  'Turn automatic renewal off?': 'अपने-आप नवीनीकरण बंद करें?',
  'Nothing more is debited for {plan}. What you have paid for stays. You can agree again with a later payment.':
    '{plan} के लिए अब कुछ डेबिट नहीं होगा। जिसका भुगतान हो चुका है वह बना रहता है। किसी अगले भुगतान के साथ आप फिर सहमति दे सकते हैं।',
  'A debit was asked for already. If your bank still makes it, you get it back where no plan runs; else cancel the period before it starts, and you get all of it back.':
    'एक डेबिट पहले ही माँगा जा चुका है। यदि आपका बैंक फिर भी उसे करे, तो जहाँ कोई प्लान नहीं चल रहा वहाँ पैसा वापस मिलेगा; नहीं तो अवधि शुरू होने से पहले उसे रद्द करें और आपको पूरा पैसा वापस मिलेगा।',
  'Keep it on': 'चालू रखें',
  'Turning off...': 'बंद किया जा रहा है...',
  'Automatic renewal is off': 'अपने-आप नवीनीकरण बंद है',
  'Automatic renewal could not be turned off': 'अपने-आप नवीनीकरण बंद नहीं हो सका',
  'Nothing is debited any more. Your bank has not confirmed the end yet, and we keep asking for it.':
    'अब कुछ भी डेबिट नहीं होगा। आपके बैंक ने अभी समाप्ति की पुष्टि नहीं की है, और हम उससे पूछते रहते हैं।',
  'You turned it off. Nothing more is debited.': 'आपने इसे बंद किया। अब कुछ भी डेबिट नहीं होगा।',
  'It was ended in your UPI app, or by your bank. Nothing more is debited.':
    'यह आपके UPI ऐप में या आपके बैंक द्वारा समाप्त किया गया। अब कुछ भी डेबिट नहीं होगा।',
  'We ended it. The reason is on the page of your account. Nothing more is debited.':
    'इसे हमने समाप्त किया। कारण आपके खाते के पेज पर है। अब कुछ भी डेबिट नहीं होगा।',
  'The time for which you agreed to it is over. Nothing more is debited.':
    'जिस अवधि के लिए आपने सहमति दी थी वह पूरी हो गई है। अब कुछ भी डेबिट नहीं होगा।',
  'It ended with what it renewed.': 'यह उसी के साथ समाप्त हुआ जिसे यह नवीनीकृत करता था।',
  'The debit of {amount}, asked for on {day}, did not go through.': '{day} को माँगा गया {amount} का डेबिट नहीं हो सका।',
  'We ask once more on {day}. If you pay before, nothing is debited.':
    'हम {day} को एक बार और माँगते हैं। यदि आप उससे पहले भुगतान करें, तो कुछ डेबिट नहीं होगा।',
  'Pay for the next period before your plan ends.': 'आपका प्लान समाप्त होने से पहले अगली अवधि का भुगतान करें।',
  'Nothing is debited while your account is blocked.': 'जब तक आपका खाता अवरुद्ध है, कुछ डेबिट नहीं होता।',
  'We don’t renew plans automatically at the moment. Nothing is debited.':
    'हम अभी प्लान अपने-आप नवीनीकृत नहीं करते। कुछ डेबिट नहीं होगा।',
  'It does not renew automatically.': 'यह अपने-आप नवीनीकृत नहीं होता।',
  'It is off. Nothing is debited.': 'यह बंद है। कुछ डेबिट नहीं होता।',
  'You paused it in your UPI app or at your bank. Nothing is debited until you resume it there.':
    'आपने इसे अपने UPI ऐप या अपने बैंक में रोका है। जब तक आप वहाँ इसे फिर शुरू न करें, कुछ डेबिट नहीं होगा।',
  'Your bank is confirming it. Nothing is debited before.': 'आपका बैंक इसकी पुष्टि कर रहा है। उससे पहले कुछ डेबिट नहीं होता।',
  'No plan is running, so nothing is debited.': 'कोई प्लान नहीं चल रहा है, इसलिए कुछ डेबिट नहीं होता।',
  'Another plan is running than the one you agreed to renew. Nothing is debited.':
    'जिस प्लान के नवीनीकरण की आपने सहमति दी थी, उससे अलग प्लान चल रहा है। कुछ डेबिट नहीं होता।',
  'Your next plan begins later. Nothing is debited for the days between.':
    'आपका अगला प्लान बाद में शुरू होता है। बीच के दिनों के लिए कुछ डेबिट नहीं होता।',
  'We gave you more days. Nothing is debited for them.': 'हमने आपको और दिन दिए हैं। उनके लिए कुछ डेबिट नहीं होता।',
  'The plan is not sold any more. Nothing is debited.': 'यह प्लान अब नहीं बिकता। कुछ डेबिट नहीं होता।',
  'The plan now costs more than you agreed to. Nothing is debited.':
    'प्लान की कीमत अब आपकी सहमति से अधिक है। कुछ डेबिट नहीं होता।',
  'The time for which you agreed to it ends before the next debit. Nothing is debited.':
    'जिस अवधि के लिए आपने सहमति दी थी वह अगले डेबिट से पहले पूरी हो जाती है। कुछ डेबिट नहीं होता।',
  'You removed the next period, or it was given back to you. Nothing is debited for it.':
    'आपने अगली अवधि हटा दी, या उसकी राशि आपको लौटा दी गई। उसके लिए कुछ डेबिट नहीं होता।',
  'The next debit is skipped. Your plan ends on {end}, unless you pay for the next period yourself.':
    'अगला डेबिट छोड़ दिया गया है। आपका प्लान {end} को समाप्त होगा, जब तक आप अगली अवधि का भुगतान ख़ुद न करें।',
  'It ended with the plan that it renewed. Nothing more is debited.':
    'यह उस प्लान के साथ समाप्त हुआ जिसे यह नवीनीकृत करता था। अब कुछ भी डेबिट नहीं होगा।',
  'It ended because no plan was running. Nothing more is debited.':
    'कोई प्लान नहीं चल रहा था, इसलिए यह समाप्त हुआ। अब कुछ भी डेबिट नहीं होगा।',
  'It ended because your bank took a payment back. Nothing more is debited.':
    'आपके बैंक ने एक भुगतान वापस लिया, इसलिए यह समाप्त हुआ। अब कुछ भी डेबिट नहीं होगा।',
  'Your bank disputes an earlier payment. Nothing is debited meanwhile.':
    'आपके बैंक ने एक पिछले भुगतान पर विवाद किया है। तब तक कुछ डेबिट नहीं होता।',
  'You asked to pay for the next period by bank transfer. Nothing is debited for it: both could be taken.':
    'आपने अगली अवधि का भुगतान बैंक ट्रांसफ़र से करना चुना है। उसके लिए कुछ डेबिट नहीं होता: दोनों राशियाँ कट सकती हैं।',
  'What you had added is not sold as it was any more. Nothing is debited: remove it, add it again and pay for it.':
    'आपने जो जोड़ा था वह अब उसी रूप में नहीं बिकता। कुछ डेबिट नहीं होता: उसे हटाएँ, फिर जोड़ें और भुगतान करें।',
  'The GST portal says that your GSTIN is not active. Nothing is debited: correct your business profile and pay for the next period yourself.':
    'GST पोर्टल के अनुसार आपका GSTIN सक्रिय नहीं है। कुछ डेबिट नहीं होता: अपनी व्यावसायिक प्रोफ़ाइल ठीक करें और अगली अवधि का भुगतान ख़ुद करें।',
  'The GST portal does not know your GSTIN. Nothing is debited: correct your business profile and pay for the next period yourself.':
    'GST पोर्टल आपका GSTIN नहीं जानता। कुछ डेबिट नहीं होता: अपनी व्यावसायिक प्रोफ़ाइल ठीक करें और अगली अवधि का भुगतान ख़ुद करें।',
  'The GST portal does not confirm your special economic zone. Nothing is debited: correct your business profile and pay for the next period yourself.':
    'GST पोर्टल आपके विशेष आर्थिक क्षेत्र की पुष्टि नहीं करता। कुछ डेबिट नहीं होता: अपनी व्यावसायिक प्रोफ़ाइल ठीक करें और अगली अवधि का भुगतान ख़ुद करें।',
  'Too many of your subscriptions wait for their payment. Nothing is debited: pay for the next period yourself.':
    'आपके बहुत-से सब्सक्रिप्शन भुगतान की प्रतीक्षा में हैं। कुछ डेबिट नहीं होता: अगली अवधि का भुगतान ख़ुद करें।',
  'We can’t sell the next period right now. Nothing is debited. The fault is ours.':
    'हम अभी अगली अवधि नहीं बेच सकते। कुछ डेबिट नहीं होता। गलती हमारी है।',
  'Your bank has not answered in time. Pay for the next period yourself.':
    'आपके बैंक ने समय पर जवाब नहीं दिया। अगली अवधि का भुगतान ख़ुद करें।',
  '{amount} was asked for, and your bank has not answered. You can pay yourself: if it is debited after that, you get it back.':
    '{amount} माँगा गया था, और आपके बैंक ने जवाब नहीं दिया है। आप ख़ुद भुगतान कर सकते हैं: उसके बाद डेबिट हुआ, तो वह पैसा आपको वापस मिलेगा।',
  'Your bank could not be asked in time. Nothing is debited: pay for the next period yourself.':
    'आपके बैंक से समय पर पूछा नहीं जा सका। कुछ डेबिट नहीं होता: अगली अवधि का भुगतान ख़ुद करें।',
  'Your bank has not answered about a pack yet. It takes one debit at a time: we ask for the next period once it has, or tell you in time to pay for it yourself.':
    'आपके बैंक ने एक पैक के बारे में अभी जवाब नहीं दिया है। वह एक बार में एक ही डेबिट लेता है: जवाब आने पर हम अगली अवधि के लिए पूछते हैं, या आपको समय रहते बताते हैं कि उसका भुगतान ख़ुद करें।',
  'Your bank has not answered about a pack, and takes no other debit until it does. Nothing is debited for the next period: pay for it yourself.':
    'आपके बैंक ने एक पैक के बारे में जवाब नहीं दिया है, और तब तक वह कोई दूसरा डेबिट नहीं लेता। अगली अवधि के लिए कुछ डेबिट नहीं होता: उसका भुगतान ख़ुद करें।',
};
