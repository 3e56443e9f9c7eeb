/** The content of a mail, before it is rendered as text and as HTML. */
export interface Letter {
  subject: string;
  /** The first line: what is written above it is a reply. */
  marker?: string;
  /** Paragraphs; the last one says what to do next, or that nothing needs to be done. */
  paragraphs: string[];
  /** Names and values: amounts, days, numbers. */
  facts?: [name: string, value: string][];
  /** The link at the end. */
  link?: { label: string; path: string };
  /** The link below it, by which the recipient stops such mails. */
  stop?: { label: string; path: string };
}

/** Sender, recipient and support contact. */
export interface Letterhead {
  providerName: string;
  portalUrl: string;
  supportEmail: string;
  /** Empty when nobody knows it. */
  recipientName: string;
  /** A colour on which white text is readable, and that is readable on white. */
  accent: string;
  /** At its head, before the provider's name unless it contains the name. */
  logo: { src: string; width: number; height: number; hasName: boolean } | undefined;
  /** At its foot: terms, privacy, refunds, contact, and the recipient's choice of mails. */
  links: readonly { label: string; address: string }[];
}

/** Renders a letter as plain text. */
export function letterText(letter: Letter, head: Letterhead): string {
  const facts = (letter.facts ?? []).map(([name, value]) => `${name}: ${value}`).join('\n');
  const link = letter.link ? `${letter.link.label}:\n${head.portalUrl}${letter.link.path}` : '';
  const stop = letter.stop ? `${letter.stop.label}:\n${head.portalUrl}${letter.stop.path}` : '';
  return `${[
    letter.marker ?? '',
    greeting(head),
    ...letter.paragraphs.slice(0, -1),
    facts,
    ...letter.paragraphs.slice(-1),
    link,
    closing(head),
    head.links.map(({ label, address }) => `${label}: ${address}`).join('\n'),
    stop,
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

/** Renders a letter as simple HTML that looks the same in every mail program. */
export function letterHtml(letter: Letter, head: Letterhead): string {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;
  const facts = (letter.facts ?? [])
    .map(
      ([name, value]) =>
        `<tr><td style="padding:4px 24px 4px 0;color:#686e68">${escapeHtml(name)}</td><td style="padding:4px 0">${escapeHtml(value)}</td></tr>`,
    )
    .join('');
  const link = letter.link
    ? `<p style="margin:24px 0"><a href="${escapeHtml(head.portalUrl + letter.link.path)}" style="display:inline-block;padding:10px 18px;background:${head.accent};color:#ffffff;text-decoration:none;border-radius:8px;font-weight:600">${escapeHtml(letter.link.label)}</a></p>`
    : '';
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(letter.subject)}</title></head>`,
    '<body style="margin:0;padding:24px 16px;background:#f4f5f2;font:15px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif;color:#171e1a">',
    '<div style="max-width:560px;margin:0 auto;padding:28px 28px 12px;background:#ffffff;border-radius:12px">',
    letter.marker === undefined
      ? ''
      : `<p style="margin:0 0 16px;font-size:13px;color:#686e68">${escapeHtml(letter.marker)}</p>`,
    `<p style="margin:0 0 20px;font-weight:600;color:${head.accent}">${headOf(head)}</p>`,
    paragraph(greeting(head)),
    ...letter.paragraphs.slice(0, -1).map(paragraph),
    facts === '' ? '' : `<table style="border-collapse:collapse;margin:0 0 16px">${facts}</table>`,
    ...letter.paragraphs.slice(-1).map(paragraph),
    link,
    `<p style="margin:24px 0 12px;padding-top:12px;border-top:1px solid #d0d2ce;font-size:13px;color:#686e68">${escapeHtml(closing(head)).replaceAll('\n', '<br>')}${linksOf(head)}</p>`,
    letter.stop === undefined
      ? ''
      : `<p style="margin:0 0 12px;font-size:13px"><a href="${escapeHtml(head.portalUrl + letter.stop.path)}" style="color:#686e68">${escapeHtml(letter.stop.label)}</a></p>`,
    '</div></body></html>\n',
  ].join('');
}

/** A written mail, in both forms. */
export interface WrittenMail {
  text: string;
  html: string;
}

/** A written mail whose attachment follows later: it says so below the greeting, and nowhere that the document is attached. */
export function withoutAttachment(mail: WrittenMail, document: string, sentence: string): WrittenMail {
  const [attached, later] = [`The ${document} is attached`, `The ${document} follows later`];
  const [start, end] = ['<p style="margin:0 0 16px">', '</p>'];
  const below = mail.html.indexOf(end, mail.html.indexOf(start)) + end.length;
  const html = `${mail.html.slice(0, below)}${start}${escapeHtml(sentence)}${end}${mail.html.slice(below)}`;
  return {
    text: mail.text.replace('\n\n', () => `\n\n${sentence}\n\n`).replaceAll(attached, later),
    html: html.replaceAll(escapeHtml(attached), escapeHtml(later)),
  };
}

function greeting({ recipientName }: Letterhead): string {
  return recipientName === '' ? 'Hello,' : `Hello ${recipientName},`;
}

function headOf({ providerName, logo }: Letterhead): string {
  const name = escapeHtml(providerName);
  if (logo === undefined) return name;
  const { src, width, height, hasName } = logo;
  // A mail program that shows no images shows the name.
  const alt = hasName ? name : '';
  const image = `<img src="${escapeHtml(src)}" width="${width}" height="${height}" alt="${alt}" style="vertical-align:middle;border:0">`;
  return hasName ? image : `${image}&nbsp; ${name}`;
}

function linksOf({ links }: Letterhead): string {
  const anchors = links.map(
    ({ label, address }) => `<a href="${escapeHtml(address)}" style="color:#686e68">${escapeHtml(label)}</a>`,
  );
  return anchors.length === 0 ? '' : `<br>${anchors.join(' · ')}`;
}

function closing({ providerName, supportEmail }: Letterhead): string {
  return `${providerName}\nQuestions? Write to ${supportEmail}.`;
}

/** Escapes text for HTML, including attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
