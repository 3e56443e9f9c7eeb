import type { SpotlightActionData } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { BookOpen, FileText, KeyRound, ListTree } from 'lucide-react';
import type { Activation } from '#shared/contract/activations.ts';
import { listApiKeys } from '#shared/contract/api-keys.ts';
import { listDocuments } from '#shared/contract/documents.ts';
import { listRequests } from '#shared/contract/request-log.ts';
import { maxQuery, publicAddress } from '#shared/contract/public-pages.ts';
import { searchPages } from '#shared/contract/search.ts';
import { isRequestId } from '#shared/domain/request-ids.ts';
import { portalConfig } from '#web/api/config.ts';
import { useCall, useCalls } from '#web/api/use-call.ts';
import { language } from '#web/language/language.ts';
import { pageInPortal } from '#web/shell/page-in-portal.ts';
import { paletteTexts as texts } from '#web/shell/palette-texts.ts';

/** Shorter words would list almost everything. */
const minLength = 2;
const most = 8;
/** Pages are searched by the server, when no key was pressed for so long. */
const restMs = 150;

/** The customer's documents, keys and requests that match what is typed; loaded with the first letters. */
export function usePaletteFinds(
  query: string,
  activations: readonly Activation[],
  go: (path: string) => () => void,
): SpotlightActionData[] {
  const typed = query.trim();
  const words = typed.toLowerCase();
  const isOn = words.length >= minLength;
  const isRequest = isRequestId(typed);
  const documents = useCall(listDocuments, {}, { enabled: isOn }).data?.documents ?? [];
  const keys = useCalls(listApiKeys, isOn ? activations.map(({ id }) => ({ params: { activationId: id } })) : []);
  const requests = useCalls(
    listRequests,
    isRequest ? activations.map(({ id }) => ({ params: { activationId: id }, query: { q: typed, limit: 1 } })) : [],
  );
  const [rested] = useDebouncedValue(typed.slice(0, maxQuery), restMs);
  const pages =
    useCall(searchPages, { query: { q: rested, language: language() } }, { enabled: rested.length >= minLength }).data
      ?.pages ?? [];
  if (!isOn) return [];
  const places = new Map(pages.map((page) => [pageInPortal(page.path) ?? page.path, page]));
  const found = [
    ...requests.flatMap(({ input, reply }) =>
      reply.requests.map((request) => ({
        id: request.requestId,
        label: request.requestId,
        description: `${request.status} · ${request.method} ${request.path}`,
        leftSection: <ListTree size={18} />,
        onClick: go(
          `/activations/${input.params.activationId}/requests?${new URLSearchParams({ q: typed, request: typed })}`,
        ),
      })),
    ),
    ...documents
      .filter(({ number }) => number.toLowerCase().includes(words))
      .map(({ id, kind, number, desc }) => ({
        id,
        label: number,
        description: `${texts.kinds[kind]} · ${desc}`,
        leftSection: <FileText size={18} />,
        onClick: go(`/billing?${new URLSearchParams({ view: 'documents', q: number })}`),
      })),
    ...keys.flatMap(({ input, reply }) =>
      reply
        .filter(({ keyName, hint, id }) => [keyName, hint, id].some((text) => text.toLowerCase().includes(words)))
        .map(({ id, keyName, hint, isRevoked }) => ({
          id,
          label: `${keyName} …${hint}`,
          description: isRevoked ? texts.revokedKey : texts.key,
          // The palette itself matches names only.
          keywords: [id, hint],
          leftSection: <KeyRound size={18} />,
          onClick: go(`/api/${input.params.activationId}?tab=keys`),
        })),
    ),
  ];
  const offered = [...places].filter(([place, { path }]) => place !== path || portalConfig().publicPages);
  return [
    ...found.slice(0, most),
    ...offered.map(([place, { path, title, text }]) => ({
      id: path,
      label: title,
      description: text,
      // The palette itself would look for the words as they are typed.
      keywords: [words],
      leftSection: <BookOpen size={18} />,
      onClick: place === path ? () => globalThis.location.assign(publicAddress(path, language())) : go(place),
    })),
  ];
}
