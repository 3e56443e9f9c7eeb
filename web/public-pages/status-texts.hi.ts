import type { Catalogue } from '#web/language/language.ts';

/** The texts of /status in Hindi, by their English. */
export const hindi: Catalogue = {
  Status: 'स्थिति',
  'Whether each API of {provider} works now, and how it did in the last 90 days.':
    '{provider} का हर API अभी काम कर रहा है या नहीं, और पिछले 90 दिनों में कैसा रहा।',
  'All APIs work.': 'सभी API काम कर रहे हैं।',
  'Some checks fail: calls may fail, and can be repeated.':
    'कुछ जाँचें विफल हो रही हैं: कॉल विफल हो सकते हैं, और दोहराए जा सकते हैं।',
  'At least one API is down.': 'कम से कम एक API बंद है।',
  'Not every API was checked in the last minutes, so nothing is known of it.':
    'पिछले मिनटों में हर API की जाँच नहीं हुई, इसलिए उसके बारे में कुछ पता नहीं है।',
  'Last check: {moment} IST.': 'पिछली जाँच: {moment} IST।',
  Up: 'चालू',
  'Some checks fail': 'कुछ जाँचें विफल',
  Down: 'बंद',
  Unknown: 'अज्ञात',
  'Nothing was checked so far.': 'अब तक कोई जाँच नहीं हुई है।',
  '{count, plural, one {# day} other {# days}}': '{count, plural, one {# दिन} other {# दिन}}',
  '{share} of {checks} checks on {days} succeeded.': '{days} में {checks} जाँचों में से {share} सफल रहीं।',
  'This API has no check of its own: its status is that of the gateway.':
    'इस API की अपनी जाँच नहीं है: इसकी स्थिति गेटवे की स्थिति है।',
  'About {name}': '{name} के बारे में',
  '{count, plural, one {# day with failures} other {# days with failures}}':
    '{count, plural, one {# दिन विफलताओं के साथ} other {# दिन विफलताओं के साथ}}',
  Day: 'दिन',
  'Failed checks': 'विफल जाँचें',
  'All checks': 'सभी जाँचें',
  'The last 90 days: {checked, plural, one {# was checked} other {# were checked}}, {bad, plural, =0 {none with failures} one {# with failures} other {# with failures}}.':
    'पिछले 90 दिन: {checked, plural, one {# की जाँच हुई} other {# की जाँच हुई}}, {bad, plural, =0 {किसी में विफलता नहीं} one {# में विफलताएँ} other {# में विफलताएँ}}।',
  '{day}: not checked': '{day}: जाँच नहीं हुई',
  '{day}: {failed} of {checks} checks failed': '{day}: {checks} में से {failed} जाँचें विफल',
  Today: 'आज',
  'Every minute the portal asks the gateway, and the gateway asks each API. An API is down when two checks in a row fail. Days are in IST.':
    'पोर्टल हर मिनट गेटवे से पूछता है, और गेटवे हर API से। लगातार दो जाँचें विफल होने पर API बंद माना जाता है। दिन IST में हैं।',
};
