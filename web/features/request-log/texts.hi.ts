import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  'Request log': 'अनुरोध लॉग',
  'Last calls': 'हाल की कॉल',
  'Working: {calls, plural, one {# call} other {# calls}} today, without a problem':
    'चालू है: आज {calls, plural, one {# कॉल} other {# कॉल}}, कोई समस्या नहीं',
  '{calls, plural, =0 {No calls} one {# call} other {# calls}} today':
    'आज {calls, plural, =0 {कोई कॉल नहीं} one {# कॉल} other {# कॉल}}',
  'Every call of the last 30 days, shown a moment after its response.':
    'पिछले 30 दिनों की हर कॉल, जवाब मिलने के क्षण भर बाद।',
  'Loading the request log': 'अनुरोध लॉग लोड हो रहा है',
  'Failed to load the request log': 'अनुरोध लॉग लोड नहीं हो सका',
  'No calls yet': 'अभी कोई कॉल नहीं',
  'Calls with your keys appear here as they happen.': 'आपकी कुंजियों की कॉल जवाब मिलते ही यहाँ दिखती हैं।',
  'No matching calls': 'कोई कॉल मेल नहीं खाती',
  'Choose other days, another key or another status. Calls that arrive without a valid key, or at an unknown address, are not logged: their response says why.':
    'दूसरे दिन, दूसरी कुंजी या दूसरी स्थिति चुनें। बिना मान्य कुंजी के या अनजान पते पर आई कॉल लॉग नहीं होतीं: कारण उनके जवाब में होता है।',
  'No matching calls so far': 'अब तक कोई कॉल मेल नहीं खाती',
  'The newest calls don’t match. “Older” searches the calls before them.':
    'सबसे नई कॉल मेल नहीं खातीं। “पुरानी” उनसे पहले की कॉल में खोजता है।',
  'Request id, code or path': 'अनुरोध id, कोड या पथ',
  '{method} {path}, status {status}: details': '{method} {path}, स्थिति {status}: विवरण',
  Live: 'लाइव',
  'Filter the log': 'लॉग फ़िल्टर करें',
  'Any day': 'कोई भी दिन',
  From: 'इस तारीख़ से',
  To: 'इस तारीख़ तक',
  Key: 'कुंजी',
  'All keys': 'सभी कुंजियाँ',
  Status: 'स्थिति',
  'All statuses': 'सभी स्थितियाँ',
  '2xx success': '2xx, सफल',
  '4xx refused': '4xx, अस्वीकृत',
  '429 too many requests': '429, बहुत ज़्यादा',
  '5xx failed': '5xx, विफल',
  Counted: 'गिना गया',
  'Counted or not': 'गिनी गई या नहीं',
  'Not counted': 'नहीं गिने गए',
  'Download CSV': 'CSV डाउनलोड करें',
  'The file could not be created': 'फ़ाइल नहीं बन सकी',
  'Time (IST)': 'समय (IST)',
  Call: 'कॉल',
  Duration: 'अवधि',
  '{latency} ms': '{latency} ms',
  'Request id': 'अनुरोध id',
  Test: 'टेस्ट',
  Older: 'पुरानी',
  Newest: 'सबसे नई',
  '{calls} counted calls of {day} are not in this log. They appear in a moment, or an overloaded gateway couldn’t log them. They are counted either way.':
    '{day} की गिनी गई {calls} कॉल इस लॉग में नहीं हैं। वे क्षण भर बाद लिखी जाती हैं, या गेटवे पर ज़्यादा भार होने से लॉग से छूट गईं; गिनती में वे फिर भी हैं।',
  '{calls} refused calls of {day} are not listed one by one: only so many are, and then about one in ten seconds. Today’s problems count them all.':
    '{day} की अस्वीकृत {calls} कॉल एक-एक करके नहीं दिखाई गईं: सीमा के बाद लगभग दस सेकंड में एक ही दिखती है। आज की समस्याओं में सब गिनी जाती हैं।',
  Success: 'सफल',
  'Rejected as invalid': 'इनपुट जाँचा गया',
  Replayed: 'दोहराया जवाब',
  'API failed': 'API विफल रहा',
  'Response cut off': 'जवाब बीच में टूटा',
  'Client disconnected': 'क्लाइंट डिस्कनेक्ट हुआ',
  'Refused by the gateway': 'गेटवे ने अस्वीकार किया',
  'Test key': 'टेस्ट कुंजी',
  'Revoked key': 'रद्द की गई कुंजी',
  'Expired key': 'समाप्त कुंजी',
  'Address not allowed': 'पते की अनुमति नहीं',
  'Key of another API': 'दूसरी API की कुंजी',
  'No sandbox': 'सैंडबॉक्स नहीं',
  'Bill overdue': 'बिल की देय तिथि बीत गई',
  'Plan not paid': 'प्लान का भुगतान नहीं हुआ',
  'Plan not started': 'प्लान शुरू नहीं हुआ',
  'Plan ended': 'प्लान समाप्त',
  'No plan': 'कोई प्लान नहीं',
  'Too many calls per second': 'एक सेकंड में बहुत ज़्यादा कॉल',
  'Daily quota used up': 'दैनिक कोटा समाप्त',
  'Not in the plan': 'प्लान में नहीं',
  'The plan {plan} does not include this operation.': 'प्लान {plan} में यह ऑपरेशन शामिल नहीं है।',
  'The call needed {needed} units, and {left} of {limit} were left.':
    'कॉल को {needed} यूनिट चाहिए थीं, और {limit} में से {left} बची थीं।',
  'The API responded. This operation, or this result of it, uses no quota.':
    'API ने जवाब दिया। इस ऑपरेशन या इसके इस नतीजे पर कोटा नहीं लगता।',
  'Operation in the plan': 'ऑपरेशन प्लान में है',
  Free: 'मुफ़्त',
  '{units} units': '{units} यूनिट',
  'Quota of the cycle used up': 'चक्र का कोटा समाप्त',
  'Daily cap of the key used up': 'कुंजी की दैनिक सीमा समाप्त',
  'Daily limit of the member used up': 'सदस्य की दैनिक सीमा समाप्त',
  'Test calls of the day used up': 'दिन की टेस्ट कॉल समाप्त',
  'Too many test calls per second': 'एक सेकंड में बहुत ज़्यादा टेस्ट कॉल',
  'Body too large': 'बॉडी बहुत बड़ी',
  'No valid response from the API': 'API से मान्य जवाब नहीं',
  'API too slow': 'API बहुत धीमी',
  'Quota could not be checked': 'कोटा जाँचा नहीं जा सका',
  'Call could not be counted': 'कॉल गिनी नहीं जा सकी',
  'API not set up': 'API सेट अप नहीं',
  'Gateway busy': 'गेटवे व्यस्त',
  'Invalid input': 'अमान्य इनपुट',
  'Not found': 'नहीं मिला',
  'The key {key} had been revoked when this call arrived.': 'यह कॉल आने से पहले कुंजी {key} रद्द की जा चुकी थी।',
  'The key {key} expired on {at} IST, before this call arrived.': 'कुंजी {key} इस कॉल से पहले {at} IST पर समाप्त हो चुकी थी।',
  'The call came from {address}. The key allowed only {allowed} at that time.':
    'कॉल {address} से आई। उस समय कुंजी केवल {allowed} की अनुमति देती थी।',
  'The key belongs to this activation, but the call went to {called}.': 'कुंजी इस एक्टिवेशन की है, पर कॉल {called} पर गई।',
  'This API has no sandbox, so test keys can’t call it.':
    'इस API का सैंडबॉक्स नहीं है, इसलिए टेस्ट कुंजियों से इसे कॉल नहीं किया जा सकता।',
  'The plan {plan} had stopped, because a bill was overdue. Calls work again once it is paid.':
    'प्लान {plan} रुक गया था, क्योंकि एक बिल की देय तिथि बीत चुकी थी। भुगतान होते ही कॉल फिर चलेंगी।',
  'The plan {plan} was not paid yet when this call arrived.': 'यह कॉल आने तक प्लान {plan} का भुगतान नहीं हुआ था।',
  'The plan {plan} starts only on {day}, at 00:00 IST.': 'प्लान {plan} {day}, 00:00 IST से ही शुरू होता है।',
  'The plan {plan} had ended on {day}, at 00:00 IST.': 'प्लान {plan} {day}, 00:00 IST पर समाप्त हो चुका था।',
  'No plan was running when this call arrived.': 'यह कॉल आने पर कोई प्लान चालू नहीं था।',
  'The plan {plan} allowed {limit} calls per second, and that many had just arrived.':
    'प्लान {plan} में प्रति सेकंड {limit} कॉल की अनुमति थी, और उतनी अभी-अभी आ चुकी थीं।',
  'All {limit} calls of the plan {plan} for that day were used. The count starts again at 00:00 IST.':
    'उस दिन के लिए प्लान {plan} की सभी {limit} कॉल इस्तेमाल हो चुकी थीं। गिनती 00:00 IST पर फिर शुरू होती है।',
  'All {limit} calls of the plan {plan} until {day} were used.':
    '{day} तक के लिए प्लान {plan} की सभी {limit} कॉल इस्तेमाल हो चुकी थीं।',
  'All {limit} calls that this key may make in a day were used. The plan had calls left.':
    'इस कुंजी की एक दिन की सभी {limit} कॉल इस्तेमाल हो चुकी थीं। प्लान में कॉल बाकी थीं।',
  'All {limit} calls that the keys of the member who made this key may make in a day were used. The owner sets this limit under Members.':
    'जिस सदस्य ने यह कुंजी बनाई, उसकी सभी कुंजियों की एक दिन की सभी {limit} कॉल इस्तेमाल हो चुकी थीं। यह सीमा स्वामी “सदस्य” में तय करता है।',
  'All {limit} test calls of that day were used, with all your test keys together.':
    'आपकी सभी टेस्ट कुंजियों की मिलाकर उस दिन की सभी {limit} टेस्ट कॉल इस्तेमाल हो चुकी थीं।',
  'All your test keys together may make {limit} calls per second.':
    'आपकी सभी टेस्ट कुंजियाँ मिलाकर प्रति सेकंड {limit} कॉल कर सकती हैं।',
  'The request body was larger than {limit} bytes.': 'अनुरोध की बॉडी {limit} बाइट से बड़ी थी।',
  'The API sent no valid response. The fault is on our side, and the call was not counted.':
    'API ने कोई मान्य जवाब नहीं दिया। गलती हमारी ओर से है, और कॉल नहीं गिनी गई।',
  'The API did not respond in time: we stopped waiting after {ms} ms. The call was not counted.':
    'API ने समय पर जवाब नहीं दिया: हमने {ms} ms बाद प्रतीक्षा बंद की। कॉल नहीं गिनी गई।',
  'The gateway could not check or count the call, so it did not reach the API. Send it again.':
    'गेटवे कॉल को जाँच या गिन नहीं सका, इसलिए वह API तक नहीं पहुँची। उसे फिर भेजें।',
  'The call reached the API, but the gateway could not count it, so the response was not sent and the call was not counted. Send it again.':
    'कॉल API तक पहुँची, लेकिन गेटवे उसे गिन नहीं सका, इसलिए जवाब नहीं भेजा गया और कॉल नहीं गिनी गई। उसे फिर भेजें।',
  'The API was not completely set up on our side, so the call did not reach it and was not counted.':
    'हमारी ओर API पूरी तरह सेट अप नहीं थी, इसलिए कॉल उस तक नहीं पहुँची और गिनी नहीं गई।',
  'Too many calls were in progress, so this one did not reach the API. Send it again.':
    'बहुत ज़्यादा कॉल चल रही थीं, इसलिए यह API तक नहीं पहुँची। इसे फिर भेजें।',
  'The API rejected the field {field}. Its response named every error.':
    'API ने फ़ील्ड {field} अस्वीकार किया। उसके जवाब में हर त्रुटि लिखी थी।',
  'The API rejected the input. Its response named every error.': 'API ने इनपुट अस्वीकार किया। उसके जवाब में हर त्रुटि लिखी थी।',
  'The API received the call and rejected it with status {status}.':
    'API को कॉल मिली और उसने उसे स्थिति {status} के साथ अस्वीकार किया।',
  'The API failed with status {status}. The call was not counted.':
    'API स्थिति {status} के साथ विफल रही। कॉल नहीं गिनी गई।',
  'The response was cut off on our side. The call was not counted.': 'जवाब हमारी ओर से बीच में टूट गया। कॉल नहीं गिनी गई।',
  'Your client disconnected before the response arrived.': 'जवाब आने से पहले आपका क्लाइंट डिस्कनेक्ट हो गया।',
  'The gateway refused this call. It was logged before the log kept problem codes.':
    'गेटवे ने यह कॉल अस्वीकार की। तब लॉग में समस्या कोड नहीं रखे जाते थे।',
  'The API responded.': 'API ने जवाब दिया।',
  'The same response had been sent before, for the same Idempotency-Key.':
    'उसी Idempotency-Key के लिए यही जवाब पहले भेजा जा चुका था।',
  'Key known and not revoked': 'कुंजी मौजूद है और रद्द नहीं',
  'Account not blocked': 'खाता रोका नहीं गया है',
  'Account blocked': 'खाता रोका गया',
  'Your account was blocked when this call arrived. The reason is under Account.':
    'जब यह कॉल पहुँची, तब आपका खाता रोका हुआ था। कारण “खाता” में लिखा है।',
  'Key not expired': 'कुंजी समाप्त नहीं',
  'Address allowed': 'पते की अनुमति है',
  'Gateway had room': 'गेटवे में जगह थी',
  'Key is for this API': 'कुंजी इसी API की है',
  'API has a sandbox': 'API का सैंडबॉक्स है',
  'Plan running': 'प्लान चालू है',
  'Calls per second': 'प्रति सेकंड कॉल',
  'Quota left': 'कोटा बाकी है',
  'API had room': 'API में जगह थी',
  'Body within the limit': 'बॉडी सीमा के भीतर',
  'Response of the API': 'API का जवाब',
  Passed: 'सफल',
  'Failed here': 'यहाँ विफल',
  'Not reached': 'यहाँ तक नहीं पहुँची',
  Request: 'अनुरोध',
  'What was checked': 'क्या जाँचा गया',
  'Problem code': 'समस्या कोड',
  None: 'कोई नहीं',
  'Endpoint documentation': 'एंडपॉइंट का दस्तावेज़',
  'Try again in sandbox': 'सैंडबॉक्स में फिर आज़माएँ',
  'Ask support about this request': 'इस अनुरोध के बारे में सहायता से पूछें',
  'Go to API keys': 'API कुंजियों पर जाएँ',
  'Go to plans': 'प्लान पर जाएँ',
  Close: 'बंद करें',
  'Request {id}: status {status}': 'अनुरोध {id}: स्थिति {status}',
  'Today’s problems': 'आज की समस्याएँ',
  '{calls, plural, one {# call} other {# calls}} with the revoked key {key}':
    'रद्द की गई कुंजी {key} से {calls, plural, other {# कॉल}}',
  '{calls, plural, one {# call} other {# calls}}: {title} ({key})': '{calls, plural, other {# कॉल}}: {title} ({key})',
  '{calls, plural, one {# call} other {# calls}} over the plan’s rate per second: {share} of today’s calls':
    'प्लान की प्रति सेकंड सीमा से ऊपर {calls, plural, other {# कॉल}}: आज की कॉल का {share}',
  '{calls, plural, one {# call} other {# calls}}: {title}, {share} of today’s calls':
    '{calls, plural, other {# कॉल}}: {title}, आज की कॉल का {share}',
  Show: 'दिखाएँ',
  'Show: {what}': 'दिखाएँ: {what}',
  'last at {time}': 'आख़िरी {time} पर',
};
