import { type Messages, setupI18n } from '@lingui/core';
import { keptInBrowser } from '#web/session/storage.ts';

/** The languages of the pages. The English texts are the ids of the translations. */
export type Language = 'en' | 'hi';

/** The texts of a feature in another language: English → that language, both as ICU messages (the build compiles them). */
export type Catalogue = Record<string, string>;

type CatalogueSource = () => Promise<Catalogue>;

const storageKey = 'language';

const i18n = setupI18n({ locale: 'en', locales: ['en-IN'], messages: { en: {}, hi: {} } });

// In a build, a message that is still a text has no values (web/vite/compile-messages.ts compiles the others);
// otherwise Lingui compiles it here.
if (import.meta.env.PROD) i18n.setMessagesCompiler((message) => [message]);

// A feature makes itself known while its code loads; its Hindi is fetched only when that is the language.
const sources = new Set<CatalogueSource>();
const fetched = new Map<CatalogueSource, Promise<void>>();

/** The message in the language of the page; in English when it has no translation. */
export function translate(message: string, values?: Record<string, string | number>): string {
  return i18n._(message, values);
}

/** A text of the server, translated if the catalogue has it, otherwise unchanged. */
export function translateKnown(text: string): string {
  return Object.hasOwn(i18n.messages, text) ? translate(text) : text;
}

/** As it is written in India. */
export const localeOf = (of: Language): string => (of === 'hi' ? 'hi-IN' : 'en-IN');

export function language(): Language {
  return i18n.locale === 'hi' ? 'hi' : 'en';
}

/** Calls back when the language or its catalogue has changed. Returns a function to unsubscribe. */
export function onLanguageChange(listener: () => void): () => void {
  return i18n.on('change', listener);
}

/**
 * English messages with values, as the build has compiled them; without a build they are compiled when they are used.
 *
 * @public web/vite/compile-messages.ts adds the call to each texts.ts.
 */
export function addCompiled(messages: Messages): void {
  i18n.load('en', messages);
}

/** Has the Hindi of a feature loaded when it is needed: now, or when the language changes. */
export function addCatalogue(source: CatalogueSource): void {
  sources.add(source);
  if (language() === 'hi') void fetchOnce(source).catch(() => undefined);
}

/** Waits for the Hindi of texts that few visits need, when one of them is about to be shown; without it they are in English. */
export async function catalogueReady(source: CatalogueSource): Promise<void> {
  if (language() === 'hi') await fetchOnce(source).catch(() => undefined);
}

/** Waits for the catalogues of all code that is loaded by now; one that cannot be had leaves its texts in English. */
export async function languageReady(): Promise<void> {
  if (language() === 'hi') await Promise.allSettled([...sources].map(fetchOnce));
}

/** What must happen before the language changes; it returns what happens with the change. */
type Preparation = (next: Language) => Promise<() => void>;

let prepare: Preparation = async () => () => undefined;
let coming: Language | undefined;

/** One for the page's life. */
export function beforeLanguageChange(preparation: Preparation): void {
  prepare = preparation;
}

/** The language in which replies are asked for: that of the page, or the one that it is about to have. */
export function replyLanguage(): Language {
  return coming ?? language();
}

/** Changes the language of the page and remembers it. Throws, and changes nothing, when the catalogues cannot be had. */
export async function chooseLanguage(next: Language): Promise<void> {
  if (next === 'hi') await Promise.all([import('#web/language/hindi-font.ts'), ...[...sources].map(fetchOnce)]);
  coming = next;
  try {
    const apply = await prepare(next);
    activate(next);
    apply();
  } finally {
    coming = undefined;
  }
  keptInBrowser.keep(storageKey, next);
}

/** Begins in the language that was chosen last. */
export async function startLanguage(): Promise<void> {
  if (keptInBrowser.read(storageKey) !== 'hi') return;
  // The letters of the system do until those of the page are there.
  void import('#web/language/hindi-font.ts').catch(() => undefined);
  activate('hi');
  await languageReady();
}

/** Loads every language, for pages that are rendered on the server. */
export async function loadLanguages(): Promise<void> {
  await Promise.all([...sources].map(fetchOnce));
}

/** Renders in a language, on the server. It must not wait for anything: the pages of others come in between. */
export function renderedIn<Result>(next: Language, render: () => Result): Result {
  const before = language();
  i18n.activate(next, [localeOf(next)]);
  try {
    return render();
  } finally {
    i18n.activate(before, [localeOf(before)]);
  }
}

function activate(next: Language): void {
  i18n.activate(next, [localeOf(next)]);
  document.documentElement.lang = localeOf(next);
}

function fetchOnce(source: CatalogueSource): Promise<void> {
  const known =
    fetched.get(source) ??
    source().then(
      (catalogue) => i18n.load('hi', catalogue),
      (error: unknown) => {
        fetched.delete(source);
        throw error;
      },
    );
  fetched.set(source, known);
  return known;
}
