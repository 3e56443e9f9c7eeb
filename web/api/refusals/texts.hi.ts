import type { Catalogue } from '#web/language/language.ts';

/** The messages of shared/contract/refusals.ts in Hindi, by their English. They are loaded when a call is refused. */
export const hindi: Catalogue = {
  'There is no running plan to switch from or to add to. Add a subscription instead.':
    'कोई चालू प्लान नहीं है जिसे बदला या बढ़ाया जाए। इसके बजाय एक सब्सक्रिप्शन जोड़ें।',
  'This free plan is running already. Choose another plan.': 'यह मुफ़्त प्लान पहले से चल रहा है। दूसरा प्लान चुनें।',
  'You have prepaid a plan for some of these days. Cancel it first, which refunds it in full, then switch.':
    'इनमें से कुछ दिनों का आपने अग्रिम भुगतान किया है। पहले उसे रद्द करें, पूरी राशि लौटेगी, फिर प्लान बदलें।',
  'A payment is being confirmed. Wait for its result first; the debit of a renewal takes up to two days.':
    'एक भुगतान की पुष्टि हो रही है। पहले उसके नतीजे की प्रतीक्षा करें; नवीनीकरण के डेबिट में दो दिन तक लगते हैं।',
  'Only a business can pay by bank transfer. Add your GSTIN to your business details, or pay another way.':
    'केवल व्यवसाय बैंक ट्रांसफ़र से भुगतान कर सकता है। अपने व्यावसायिक विवरण में GSTIN जोड़ें, या किसी और तरीके से भुगतान करें।',
  'Calls of this plan are refused while a bill is overdue, so no units can be added. Pay the bill first.':
    'बिल बकाया होने के कारण इस प्लान के कॉल अस्वीकार किए जा रहे हैं, इसलिए यूनिट नहीं जोड़ी जा सकतीं। पहले बिल चुकाएँ।',
  'The GST rate changes before this period begins, so it can’t be invoiced yet. Pay now, or come back on its first day to pay later.':
    'यह अवधि शुरू होने से पहले GST की दर बदल रही है, इसलिए अभी इसका इनवॉइस नहीं बन सकता। अभी भुगतान करें, या बाद में चुकाने के लिए इसके पहले दिन लौटें।',
  'This can’t be paid later. Choose another way to pay.': 'इसे बाद में नहीं चुकाया जा सकता। भुगतान का दूसरा तरीका चुनें।',
  'Nothing more can be paid later while a bill is overdue. Pay the bill, or choose another way to pay.':
    'जब तक किसी बिल की देय तिथि बीती है, और कुछ बाद में नहीं चुकाया जा सकता। बिल चुकाएँ, या भुगतान का दूसरा तरीका चुनें।',
  'This is more than you can still pay later. Pay a bill first, or choose another way to pay.':
    'यह उससे अधिक है जो आप अब बाद में चुका सकते हैं। पहले कोई बिल चुकाएँ, या भुगतान का दूसरा तरीका चुनें।',
  'This API doesn’t renew automatically. Nothing was changed.': 'यह API अपने-आप नवीनीकृत नहीं होता। कुछ भी नहीं बदला गया।',
  'This API already renews automatically. Turn that off first to agree to something else.':
    'यह API पहले से अपने-आप नवीनीकृत होता है। किसी और शर्त पर सहमति देने के लिए पहले उसे बंद करें।',
  'Only the customer can do this. You see this account as an operator; nothing was changed.':
    'यह केवल ग्राहक कर सकता है। आप यह खाता ऑपरेटर के रूप में देख रहे हैं; कुछ भी बदला नहीं गया।',
  'The request is invalid. Nothing was changed.': 'अनुरोध अमान्य है। कुछ भी बदला नहीं गया।',
  'Please enter a valid key name (lowercase, max 5 characters, alphanumeric)':
    'कृपया सही कुंजी नाम लिखें (छोटे अक्षर, अधिकतम 5 वर्ण, केवल अक्षर और अंक)',
  'Login failed. Please try again.': 'लॉगिन नहीं हो सका। कृपया फिर से कोशिश करें।',
  'You passed your account on, or left it. Ask its owner to invite you, or write to support.':
    'आपने अपना खाता किसी और को सौंप दिया या उसे छोड़ दिया। उसके स्वामी से आमंत्रण माँगें, या सहायता को लिखें।',
  'Unauthorized access': 'अनधिकृत पहुँच',
  'You do not have permission to perform this action.': 'आपको यह काम करने की अनुमति नहीं है।',
  'We couldn’t find this in your account.': 'यह आपके खाते में नहीं मिला।',
  'Your account is blocked. Nothing was changed. The reason is under Account; please write to support.':
    'आपका खाता रोका हुआ है। कुछ भी नहीं बदला गया। कारण “खाता” में लिखा है; कृपया सहायता को लिखें।',
  'You already have an activation for this service. Delete the existing activation first.':
    'इस सेवा का एक्टिवेशन आपके पास पहले से है। पहले मौजूदा एक्टिवेशन हटाएँ।',
  'You have already used the trial of this product. Choose another plan.': 'आप इस उत्पाद का ट्रायल ले चुके हैं। दूसरा प्लान चुनें।',
  'You already have a plan for some of these days. Choose a start date after it ends.':
    'इनमें से कुछ दिनों के लिए आपका प्लान पहले से है। उसके ख़त्म होने के बाद की शुरू तारीख़ चुनें।',
  'A free plan is added once at a time. Choose one period, or a plan with a price.':
    'मुफ़्त प्लान एक बार में एक ही जोड़ा जाता है। एक अवधि चुनें, या क़ीमत वाला प्लान।',
  'At most 24 subscriptions of an API wait for their payment. Pay for them or remove some first.':
    'एक API के ज़्यादा से ज़्यादा 24 सब्सक्रिप्शन भुगतान की प्रतीक्षा में रह सकते हैं। पहले उनका भुगतान करें या कुछ हटा दें।',
  'What this costs or includes has changed since you added it, so it can’t be paid as it was. Remove it and choose again.':
    'आपके जोड़ने के बाद इसकी क़ीमत या इसमें शामिल चीज़ें बदल गई हैं, इसलिए पुरानी शर्तों पर भुगतान नहीं हो सकता। इसे हटाएँ और फिर से चुनें।',
  'This is no longer on sale, so it can’t be paid. Remove it and choose another plan.':
    'यह अब बिक्री पर नहीं है, इसलिए इसका भुगतान नहीं हो सकता। इसे हटाएँ और दूसरा प्लान चुनें।',
  'The start date cannot be before today.': 'शुरू तारीख़ आज से पहले की नहीं हो सकती।',
  'Choose at most 366 days, with the first day before the last.': 'अधिकतम 366 दिन चुनें, पहला दिन अंतिम दिन से पहले।',
  'An active key already has this name. Choose another name, or revoke that key first.':
    'इस नाम की सक्रिय कुंजी पहले से है। दूसरा नाम चुनें या पहले वह कुंजी रद्द करें।',
  'You have 20 active keys, or 20 that were replaced and still work, which is the limit. Revoke one first.':
    'आपके पास 20 सक्रिय कुंजियाँ हैं, या 20 बदली हुई जो अभी भी काम करती हैं, और यही सीमा है। पहले एक रद्द करें।',
  'You have generated or replaced 200 keys today, which is the limit. Try again tomorrow.':
    'आज आप 200 कुंजियाँ बना या बदल चुके हैं, जो सीमा है। कल फिर कोशिश करें।',
  'You have written 100 messages in this thread, which is the limit. Start a new one with your question.':
    'इस बातचीत में आप 100 संदेश लिख चुके हैं, जो सीमा है। अपने सवाल के साथ नई बातचीत शुरू करें।',
  'Files are PDF, JPEG, PNG, or text such as TXT and CSV: 5 of 4 MB together. Nothing was sent: choose others.':
    'फ़ाइलें PDF, JPEG, PNG या TXT, CSV जैसा टेक्स्ट हों: 5 फ़ाइलें, कुल 4 MB तक। कुछ नहीं भेजा गया: दूसरी चुनें।',
  'All files that you sent to support have 50 MB, which is the limit. Send the message without files.':
    'सहायता को भेजी गई आपकी सभी फ़ाइलें 50 MB की हैं, जो सीमा है। संदेश बिना फ़ाइलों के भेजें।',
  'You have written 100 messages to support within a day, which is the limit. Write again tomorrow.':
    'एक दिन के भीतर आप सहायता को 100 संदेश लिख चुके हैं, जो सीमा है। कल फिर लिखें।',
  'Add your business details first: the tax invoice must name your State.':
    'पहले व्यवसाय का विवरण जोड़ें: टैक्स इनवॉइस पर आपका राज्य होना ज़रूरी है।',
  'This subscription needs no payment.': 'इस सब्सक्रिप्शन के लिए भुगतान ज़रूरी नहीं है।',
  'This subscription has already ended. Nothing was changed.': 'यह सब्सक्रिप्शन पहले ही ख़त्म हो चुका है। कुछ भी बदला नहीं गया।',
  'This subscription has no invoice because nothing was paid for it.':
    'इस सब्सक्रिप्शन का इनवॉइस नहीं है, क्योंकि इसके लिए भुगतान नहीं हुआ।',
  'This document is being registered with the invoice portal. Try again in a minute.':
    'यह दस्तावेज़ इनवॉइस पोर्टल पर दर्ज हो रहा है। एक मिनट बाद फिर कोशिश करें।',
  'Your document couldn’t be prepared in time. Try again in a minute.':
    'आपका दस्तावेज़ समय पर तैयार नहीं हो सका। एक मिनट बाद फिर कोशिश करें।',
  'We can’t open the file of this document right now. Try again later, or write to support.':
    'इस दस्तावेज़ की फ़ाइल अभी नहीं खुल रही है। बाद में फिर कोशिश करें, या सहायता को लिखें।',
  'The government’s invoice portal rejected this document, so it has no file. Check the GSTIN in your business profile, then correct the buyer of the invoice.':
    'सरकार के इनवॉइस पोर्टल ने यह दस्तावेज़ अस्वीकार किया, इसलिए इसकी फ़ाइल नहीं है। व्यवसाय के विवरण में GSTIN जाँचें, फिर इनवॉइस का ख़रीदार सुधारें।',
  'An invoice that has been credited or replaced can’t be corrected. Nothing was changed.':
    'जिस इनवॉइस का क्रेडिट नोट बन चुका हो या जो बदला जा चुका हो, वह सुधारा नहीं जा सकता। कुछ भी बदला नहीं गया।',
  'The invoice already matches your business profile. Change the profile first.':
    'इनवॉइस पहले से आपके व्यवसाय के विवरण से मेल खाता है। पहले विवरण बदलें।',
  'This invoice has been corrected three times, which is the limit. Please contact support.':
    'यह इनवॉइस तीन बार सुधारा जा चुका है, जो सीमा है। कृपया सहायता से संपर्क करें।',
  'Your business details claim no SEZ or address abroad that this is about. Save them first.':
    'आपके व्यवसाय के विवरण में ऐसा कोई विशेष आर्थिक क्षेत्र या विदेशी पता नहीं है। पहले विवरण सहेजें।',
  'The GST portal doesn’t list your GSTIN as an active unit or developer in a Special Economic Zone. No payment was begun: remove the mark in your business details, or have your registration corrected and try again after an hour.':
    'GST पोर्टल पर आपका GSTIN विशेष आर्थिक क्षेत्र की सक्रिय इकाई या डेवलपर के रूप में दर्ज नहीं है। कोई भुगतान शुरू नहीं हुआ: अपने व्यवसाय के विवरण में यह निशान हटाएँ, या अपना पंजीकरण ठीक कराएँ और एक घंटे बाद फिर कोशिश करें।',
  'Your claim to be in a Special Economic Zone was checked at the GST portal 10 times today, which is the limit. Nothing was changed and no payment was begun: try again tomorrow, or remove the mark in your business details.':
    'विशेष आर्थिक क्षेत्र में होने का आपका दावा आज GST पोर्टल पर 10 बार जाँचा गया, जो सीमा है। कुछ भी बदला नहीं गया और कोई भुगतान शुरू नहीं हुआ: कल फिर कोशिश करें, या अपने व्यवसाय के विवरण में यह निशान हटाएँ।',
  'You have no documents yet. Add your accountant after your first payment.':
    'आपके पास अभी कोई दस्तावेज़ नहीं है। पहले भुगतान के बाद अपना अकाउंटेंट जोड़ें।',
  'This address has declined your mails. Add another address, or send the ZIP of the month yourself.':
    'इस पते ने आपके मेल लेने से मना किया है। दूसरा पता जोड़ें, या महीने की ZIP ख़ुद भेजें।',
  'At most three requests are sent in 30 days, by you and to one address. Try again later.':
    '30 दिनों में अधिकतम तीन अनुरोध भेजे जाते हैं, आपकी ओर से और किसी एक पते पर। बाद में फिर कोशिश करें।',
  'This link has expired. Ask the sender for a new one.': 'इस लिंक की अवधि ख़त्म हो गई है। भेजने वाले से नया लिंक माँगें।',
  'This file is not a PDF, JPEG or PNG of at most 1 MB. Choose another one.':
    'यह फ़ाइल अधिकतम 1 MB की PDF, JPEG या PNG नहीं है। दूसरी फ़ाइल चुनें।',
  'At most 5 letters can be uploaded in 30 days, and 10 in a year. Nothing was changed: try again later, or write to support.':
    '30 दिनों में अधिकतम 5 और एक वर्ष में अधिकतम 10 पत्र अपलोड हो सकते हैं। कुछ भी बदला नहीं गया: बाद में फिर कोशिश करें, या सहायता को लिखें।',
  'TDS can be declared once for a subscription that has started, with an invoice to your GSTIN.':
    'TDS हर ऐसे सब्सक्रिप्शन के लिए एक बार घोषित हो सकता है जो शुरू हो चुका हो और जिसका इनवॉइस आपके GSTIN पर हो।',
  'TDS is at most 10 % of the value without GST, and less than what is left of the payment.':
    'TDS, GST के बिना मूल्य का अधिकतम 10 % होता है, और भुगतान की बची राशि से कम।',
  'TDS is deducted in the quarter of the payment, or of an invoice that came before it, or later. Choose one of the quarters that are offered.':
    'TDS भुगतान की तिमाही में, या पहले आए इनवॉइस की तिमाही में, या उसके बाद कटता है। दी गई तिमाहियों में से कोई चुनें।',
  'The GST portal says that your GSTIN is cancelled or suspended, so you can’t be invoiced with it. Correct the GSTIN in your business details, or remove it, and try again.':
    'GST पोर्टल के अनुसार आपका GSTIN रद्द या निलंबित है, इसलिए इसके साथ आपका इनवॉइस नहीं बन सकता। अपने व्यवसाय विवरण में GSTIN सुधारें या हटाएँ, और फिर कोशिश करें।',
  'The GST portal doesn’t know your GSTIN, so you can’t be invoiced with it. Correct the GSTIN in your business details, or remove it, and try again.':
    'GST पोर्टल को आपका GSTIN नहीं मिला, इसलिए इसके साथ आपका इनवॉइस नहीं बन सकता। अपने व्यवसाय विवरण में GSTIN सुधारें या हटाएँ, और फिर कोशिश करें।',
  'The time for correcting invoices of that financial year is over. Nothing was changed.':
    'उस वित्त वर्ष के इनवॉइस सुधारने का समय बीत चुका है। कुछ भी बदला नहीं गया।',
  'This invoice bears no tax, and with your new details tax would be due that you haven’t paid. Nothing was changed: please contact support.':
    'इस इनवॉइस पर कोई कर नहीं है, और आपके नए विवरण से ऐसा कर देय होगा जिसका भुगतान नहीं हुआ है। कुछ भी बदला नहीं गया: कृपया सहायता से संपर्क करें।',
  'Payment completed but verification failed. Please contact support if you face any issues.':
    'भुगतान पूरा हुआ, पर उसकी पुष्टि नहीं हो सकी। कोई परेशानी हो तो सहायता से संपर्क करें।',
  'You have 10 live views open, which is the limit. Close one to open another.':
    'आपके 10 लाइव दृश्य खुले हैं, जो सीमा है। दूसरा खोलने के लिए कोई एक बंद करें।',
  'Too many attempts. Try again in a minute.': 'बहुत ज़्यादा कोशिशें हुईं। एक मिनट बाद फिर कोशिश करें।',
  'Something failed on our side. Try again.': 'हमारी ओर कुछ गड़बड़ हुई। फिर से कोशिश करें।',
  'Something failed on our side. If money left your account, don’t pay again: we will activate your plan or refund you automatically. If not, try again in a few minutes.':
    'हमारी ओर कुछ गड़बड़ हुई। अगर आपके खाते से राशि कट गई है तो दोबारा भुगतान न करें: उससे आपका प्लान मिल जाएगा या वह अपने आप लौट आएगी। अगर नहीं कटी, तो कुछ मिनट बाद फिर कोशिश करें।',
  'The portal is temporarily unavailable. If money left your account, don’t pay again: we will activate your plan or refund you automatically. If not, try again in a few minutes.':
    'पोर्टल अभी उपलब्ध नहीं है। अगर आपके खाते से राशि कट गई है तो दोबारा भुगतान न करें: उससे आपका प्लान मिल जाएगा या वह अपने आप लौट आएगी। अगर नहीं कटी, तो कुछ मिनट बाद फिर कोशिश करें।',
  'Failed to create payment order. Try again in a minute.': 'भुगतान का ऑर्डर नहीं बन सका। एक मिनट बाद फिर कोशिश करें।',
  'The log of your requests can’t be read right now. They work and are counted as always. Try again in a few minutes.':
    'आपके अनुरोधों का लॉग अभी नहीं पढ़ा जा सकता। वे हमेशा की तरह काम करते हैं और गिने जाते हैं। कुछ मिनट बाद फिर कोशिश करें।',
  'The portal is temporarily unavailable. Try again in a minute.': 'पोर्टल अभी उपलब्ध नहीं है। एक मिनट बाद फिर कोशिश करें।',
  'We can’t start a new payment right now. Please contact support.':
    'अभी नया भुगतान शुरू नहीं किया जा सकता। कृपया सहायता से संपर्क करें।',
  'Enter an https address that is reachable from the internet. Private network addresses are not allowed.':
    'ऐसा https पता लिखें जहाँ इंटरनेट से पहुँचा जा सके। निजी नेटवर्क के पते स्वीकार नहीं होते।',
  'You have 10 webhooks, which is the limit. Delete one first.':
    'आपके पास 10 webhook हैं, जो सीमा है। पहले किसी एक को हटाएँ।',
  'This webhook is switched off, so nothing was sent. Switch it on first.':
    'यह webhook बंद है, इसलिए कुछ नहीं भेजा गया। पहले इसे चालू करें।',
  'You have 10 webhook deliveries in progress, so nothing was sent. Try again in a minute.':
    'आपकी 10 webhook डिलीवरी अभी चल रही हैं, इसलिए कुछ नहीं भेजा गया। एक मिनट बाद फिर कोशिश करें।',
  'This key is already revoked, expired or replaced. Generate a new one.':
    'यह कुंजी पहले ही रद्द, समाप्त या बदली जा चुकी है। नई बनाएँ।',
  'The expiry is in the past. Choose a later time, or revoke the key.':
    'समाप्ति बीते समय में है। बाद का समय चुनें, या कुंजी रद्द करें।',
  'A test key doesn’t use your plan’s quota, so it has no daily cap.':
    'टेस्ट कुंजी आपके प्लान का कोटा नहीं लेती, इसलिए उसकी दैनिक सीमा नहीं होती।',
  'This API has no sandbox, so it has no test keys. Generate a live key instead.':
    'इस API का कोई सैंडबॉक्स नहीं है, इसलिए इसकी टेस्ट कुंजियाँ नहीं होतीं। इसके बजाय लाइव कुंजी बनाएँ।',
  'Your role in this account doesn’t allow this. Nothing was changed. Ask the owner of the account.':
    'इस खाते में आपकी भूमिका इसकी अनुमति नहीं देती। कुछ भी नहीं बदला गया। खाते के स्वामी से कहें।',
  'This person is a member already. Change the role instead.': 'यह व्यक्ति पहले से सदस्य है। इसके बजाय भूमिका बदलें।',
  'This invitation or offer waits already. Revoke it first to make another one.':
    'यह निमंत्रण या प्रस्ताव पहले से प्रतीक्षा में है। दूसरा बनाने के लिए पहले इसे वापस लें।',
  'This address asked for no more invitations.': 'इस पते ने और आमंत्रण न भेजने को कहा है।',
  'Too many invitations were sent in the last 24 hours, or too many to this address, or 20 wait. Revoke some, or try again tomorrow.':
    'पिछले 24 घंटों में बहुत अधिक निमंत्रण भेजे गए, या इस पते पर बहुत अधिक, या 20 प्रतीक्षा में हैं। कुछ वापस लें, या कल फिर कोशिश करें।',
  'This invitation is for another Google account. Sign in with the account of the address it was sent to.':
    'यह निमंत्रण किसी और Google खाते के लिए है। जिस पते पर यह भेजा गया था, उसके खाते से साइन इन करें।',
  'An account has at most 50 members. Remove one first.': 'एक खाते में अधिकतम 50 सदस्य होते हैं। पहले किसी एक को हटाएँ।',
  'The owner stays the owner until somebody else has accepted the ownership.':
    'जब तक कोई और स्वामित्व स्वीकार नहीं करता, स्वामी वही रहता है।',
  'You signed in with a personal Google account. Only people of the same Google Workspace can ask to join.':
    'आपने व्यक्तिगत Google खाते से साइन इन किया है। केवल उसी Google Workspace के लोग शामिल होने के लिए कह सकते हैं।',
  'This account asks for your passkey before this. Nothing was changed. Confirm with it, or add one under Account, Members, and try again.':
    'यह खाता इससे पहले आपकी पासकी माँगता है। कुछ भी नहीं बदला गया। उससे पुष्टि करें, या खाता, सदस्य में एक जोड़ें, और फिर कोशिश करें।',
  'This passkey was not accepted. Nothing was changed: try again.':
    'यह पासकी स्वीकार नहीं हुई। कुछ भी नहीं बदला गया: फिर कोशिश करें।',
  'Sign in with Google once more, with the account that you use here. Nothing was changed.':
    'Google से एक बार फिर साइन इन करें, उसी खाते से जिसका उपयोग आप यहाँ करते हैं। कुछ भी नहीं बदला गया।',
  'This is your last passkey, and the account asks for one. Add another one first.':
    'यह आपकी आख़िरी पासकी है, और खाता पासकी माँगता है। पहले दूसरी जोड़ें।',
};
