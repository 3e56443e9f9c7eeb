import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  'You are offline. Check the connection and try again.': 'आप ऑफ़लाइन हैं। कनेक्शन जाँचें और फिर से कोशिश करें।',
  'The portal took too long to respond. Try again.': 'पोर्टल ने जवाब देने में बहुत देर की। फिर से कोशिश करें।',
  'The portal could not be reached. Check the connection and try again.':
    'पोर्टल तक पहुँचा नहीं जा सका। कनेक्शन जाँचें और फिर से कोशिश करें।',
  'This page can’t read the portal’s response. Reload the page.': 'पोर्टल का जवाब यह पेज समझ नहीं पाया। पेज फिर से लोड करें।',
};
