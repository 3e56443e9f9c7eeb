import type { Letter } from '#server/features/mail/mail.ts';

/** A webhook was switched off, because nothing could be delivered for days or because its address answered 410. */
export function webhookDisabled(url: string, reason: 'FAILING' | 'GONE'): Letter {
  return {
    subject: `Webhook switched off: ${new URL(url).host}`,
    paragraphs: [
      reason === 'GONE'
        ? 'Your webhook answered 410 Gone, so we have switched it off. Nothing more is sent to it.'
        : 'Nothing could be delivered to your webhook for three days, so we have switched it off. Nothing more is sent to it.',
      'When the address works again, switch the webhook on and replay what it missed; deliveries are kept for 30 days.',
    ],
    facts: [['Address', url]],
    link: { label: 'See its deliveries', path: '/developers/webhooks' },
  };
}
