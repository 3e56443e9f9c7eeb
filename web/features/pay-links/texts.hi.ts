import type { Catalogue } from '#web/language/language.ts';

/** The texts for the customer in Hindi, by their English. */
export const hindi: Catalogue = {
  'Let somebody else pay': 'किसी और से भुगतान करवाएँ',
  'Pay link': 'भुगतान लिंक',
  'Whoever has this link sees the amount, GST and your purchase order, and can pay without an account.':
    'जिसके पास यह लिंक है, वह राशि, GST और आपका परचेज़ ऑर्डर देख सकता है और बिना खाते के भुगतान कर सकता है।',
  'It ends when this is paid, or when you remove or replace it. A new link ends all that you gave out before.':
    'भुगतान होने पर, या आपके इसे हटाने या बदलने पर यह समाप्त हो जाता है। नया लिंक आपके दिए सभी पुराने लिंक समाप्त कर देता है।',
  'Copy link': 'लिंक कॉपी करें',
  'New link': 'नया लिंक',
  'The links from before have ended': 'पहले के लिंक समाप्त हो गए',
  'There is no link': 'कोई लिंक नहीं है',
  Close: 'बंद करें',
};
