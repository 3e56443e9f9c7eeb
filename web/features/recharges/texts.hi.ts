/** Hindi for packs that are debited before units run out. */
export const hindi: Record<string, string> = {
  'Automatic recharge': 'अपने-आप रिचार्ज',
  'Let us debit a pack when your units are about to run out before the plan ends, at most as much in a month as you say.':
    'जब आपकी यूनिट प्लान समाप्त होने से पहले ख़त्म होने वाली हों, तब हमें एक पैक डेबिट करने दें, एक महीने में अधिकतम उतना जितना आप कहें।',
  'Set up': 'चालू करें',
  Change: 'बदलें',
  'Turn recharge off': 'रिचार्ज बंद करें',
  'Turn automatic recharge off?': 'अपने-आप रिचार्ज बंद करें?',
  'No pack is debited any more. Your plan still renews automatically.':
    'अब कोई पैक डेबिट नहीं होगा। आपका प्लान फिर भी अपने-आप नवीनीकृत होता रहेगा।',
  'A debit was asked for already. If your bank still makes it, you get it back.':
    'एक डेबिट पहले ही माँगा जा चुका है। यदि आपका बैंक फिर भी उसे करे, तो पैसा आपको वापस मिलेगा।',
  'Keep it on': 'चालू रखें',
  'Turning off...': 'बंद किया जा रहा है...',
  'Automatic recharge is off': 'अपने-आप रिचार्ज बंद है',
  'Automatic recharge could not be turned off': 'अपने-आप रिचार्ज बंद नहीं हो सका',
  Pack: 'पैक',
  Packs: 'पैक',
  'At most': 'अधिकतम',
  'Left this month': 'इस महीने बाक़ी',
  'Units end': 'यूनिट ख़त्म',
  'Not before the plan does': 'प्लान से पहले नहीं',
  'Next debit': 'अगला डेबिट',
  'Skip this debit': 'यह डेबिट छोड़ें',
  'Skip this debit?': 'यह डेबिट छोड़ें?',
  'Skipping...': 'छोड़ा जा रहा है...',
  'The debit is skipped': 'डेबिट छोड़ दिया गया है',
  'We don’t ask for these units again. You can recharge yourself at any time.':
    'इन यूनिट के लिए हम फिर नहीं माँगेंगे। आप कभी भी ख़ुद रिचार्ज कर सकते हैं।',
  'Keep the debit': 'डेबिट होने दें',
  'Nothing was changed': 'कुछ भी नहीं बदला गया',
  'Automatic recharge is on': 'अपने-आप रिचार्ज चालू है',
  'Pay for the pack, or recharge yourself.': 'पैक का भुगतान करें, या ख़ुद रिचार्ज करें।',
  'At most in a calendar month (₹)': 'एक कैलेंडर महीने में अधिकतम (₹)',
  'GST included. A debit at the turn of a month counts in both.':
    'GST सहित। महीने के अंत का डेबिट दोनों महीनों में गिना जाता है।',
  'Enter an amount in rupees, such as 500.': 'रुपयों में राशि लिखें, जैसे 500।',
  'Enter at least the price of the pack.': 'कम से कम पैक की क़ीमत लिखें।',
  'A debit takes up to two days. We write to you a day before we ask for it, and you can skip it then. When units run out sooner, we tell you and debit nothing. Turn it off at any time.':
    'डेबिट में दो दिन तक लगते हैं। माँगने से एक दिन पहले हम आपको लिखते हैं, और तब आप उसे छोड़ सकते हैं। यदि यूनिट उससे पहले ख़त्म हो जाएँ, तो हम आपको बताते हैं और कुछ डेबिट नहीं करते। इसे कभी भी बंद करें।',
  Cancel: 'रद्द करें',
  Agree: 'सहमति दें',
  'Saving...': 'सहेजा जा रहा है...',
  '{units} more': '{units} और',
  '{amount} in a calendar month': 'एक कैलेंडर महीने में {amount}',
  'Around {time}': 'लगभग {time}',
  '{amount}, from {time} on if you go on as now': '{amount}, यदि उपयोग ऐसे ही चला तो {time} से',
  '{amount} was asked for on {day}. Your bank answers in a day or two. If you buy a pack meanwhile, you get this debit back.':
    '{day} को {amount} माँगा गया। आपका बैंक एक-दो दिन में जवाब देता है। यदि आप इस बीच पैक ख़रीदें, तो यह डेबिट आपको वापस मिलेगा।',
  '{amount} would be debited from {time} on.': '{amount} {time} से डेबिट होगा।',
  'The debit of {amount}, asked for on {day}, did not go through.': '{day} को माँगा गया {amount} का डेबिट नहीं हो सका।',
  '{pack} is debited (today {price}) by your mandate when your units would run out before the plan ends, at most {ceiling} in a calendar month.':
    'जब आपकी यूनिट प्लान समाप्त होने से पहले ख़त्म होने वाली हों, तब आपके मैंडेट से {pack} डेबिट होता है (आज {price}), एक कैलेंडर महीने में अधिकतम {ceiling}।',
  'It is off. No pack is debited.': 'यह बंद है। कोई पैक डेबिट नहीं होता।',
  'Nothing is debited while your account is blocked.': 'जब तक आपका खाता अवरुद्ध है, कुछ डेबिट नहीं होता।',
  'We don’t debit automatically at the moment. Recharge yourself.': 'हम अभी अपने-आप डेबिट नहीं करते। ख़ुद रिचार्ज करें।',
  'Your bank disputes an earlier payment. Nothing is debited meanwhile.':
    'आपके बैंक ने एक पिछले भुगतान पर विवाद किया है। तब तक कुछ डेबिट नहीं होता।',
  'You paused the mandate in your UPI app or at your bank. Nothing is debited until you resume it there.':
    'आपने अपने UPI ऐप या अपने बैंक में मैंडेट रोका है। जब तक आप उसे वहाँ फिर से चालू न करें, कुछ डेबिट नहीं होता।',
  'Another plan is running than the one you agreed to recharge. Nothing is debited.':
    'जिस प्लान के रिचार्ज पर आपने सहमति दी थी, उससे दूसरा प्लान चल रहा है। कुछ डेबिट नहीं होता।',
  'The pack is not sold any more. Choose another one.': 'यह पैक अब नहीं बिकता। दूसरा चुनें।',
  'The pack now costs more than one debit may take. Choose another one.':
    'पैक की क़ीमत अब एक डेबिट की सीमा से ज़्यादा है। दूसरा चुनें।',
  'The next debit would be above what you agreed to for the month. Raise it, or recharge yourself.':
    'अगला डेबिट उस राशि से ज़्यादा होगा जिस पर आपने महीने के लिए सहमति दी। उसे बढ़ाएँ, या ख़ुद रिचार्ज करें।',
  'The time for which you agreed to debits ends before the next one. Nothing is debited.':
    'जिस अवधि के लिए आपने डेबिट पर सहमति दी थी वह अगले डेबिट से पहले पूरी होती है। कुछ डेबिट नहीं होता।',
  'You skipped the debit for these units. Recharge yourself if you need more.':
    'आपने इन यूनिट का डेबिट छोड़ा है। और चाहिए तो ख़ुद रिचार्ज करें।',
  'A pack waits for your bank transfer. Nothing is debited.': 'एक पैक आपके बैंक ट्रांसफ़र की प्रतीक्षा में है। कुछ डेबिट नहीं होता।',
  'You changed recharges or ordered a pack meanwhile. Nothing is debited.':
    'आपने इस बीच रिचार्ज बदला या कोई पैक ऑर्डर किया। कुछ डेबिट नहीं होता।',
  'Your bank has not answered in time. Recharge yourself.': 'आपके बैंक ने समय पर जवाब नहीं दिया। ख़ुद रिचार्ज करें।',
  'Your units run out sooner than your bank could answer. Nothing is debited: recharge yourself.':
    'आपकी यूनिट बैंक के जवाब से पहले ख़त्म हो जाएँगी। कुछ डेबिट नहीं होता: ख़ुद रिचार्ज करें।',
  'The renewal of your plan is debited in these days, and goes first. No pack is debited: recharge yourself.':
    'इन दिनों आपके प्लान का नवीनीकरण डेबिट होता है, और वह पहले होता है। कोई पैक डेबिट नहीं होता: ख़ुद रिचार्ज करें।',
  'Your bank was asked for these units before, and is not asked again. Recharge yourself.':
    'इन यूनिट के लिए आपके बैंक से पहले पूछा जा चुका है, और फिर नहीं पूछा जाएगा। ख़ुद रिचार्ज करें।',
  'The pack is not sold as it was any more. Nothing is debited: recharge yourself.':
    'पैक अब पहले जैसा नहीं बिकता। कुछ डेबिट नहीं होता: ख़ुद रिचार्ज करें।',
  'The GST portal says that your GSTIN is not active. Nothing is debited: correct your business profile and recharge yourself.':
    'GST पोर्टल के अनुसार आपका GSTIN सक्रिय नहीं है। कुछ डेबिट नहीं होता: अपनी व्यवसाय प्रोफ़ाइल सुधारें और ख़ुद रिचार्ज करें।',
  'The GST portal does not know your GSTIN. Nothing is debited: correct your business profile and recharge yourself.':
    'GST पोर्टल आपका GSTIN नहीं जानता। कुछ डेबिट नहीं होता: अपनी व्यवसाय प्रोफ़ाइल सुधारें और ख़ुद रिचार्ज करें।',
  'The GST portal does not confirm your special economic zone. Nothing is debited: correct your business profile and recharge yourself.':
    'GST पोर्टल आपके विशेष आर्थिक क्षेत्र की पुष्टि नहीं करता। कुछ डेबिट नहीं होता: अपनी व्यवसाय प्रोफ़ाइल सुधारें और ख़ुद रिचार्ज करें।',
  'Too many of your subscriptions wait for their payment. Nothing is debited: recharge yourself.':
    'आपके बहुत-से सब्सक्रिप्शन भुगतान की प्रतीक्षा में हैं। कुछ डेबिट नहीं होता: ख़ुद रिचार्ज करें।',
  'We can’t sell the pack right now. Nothing is debited. The fault is ours.':
    'हम अभी यह पैक नहीं बेच सकते। कुछ डेबिट नहीं होता। गलती हमारी है।',
  'Your bank could not be asked in time. Nothing is debited: recharge yourself.':
    'आपके बैंक से समय पर पूछा नहीं जा सका। कुछ डेबिट नहीं होता: ख़ुद रिचार्ज करें।',
};
