import '@mantine/spotlight/styles.layer.css';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import {
  BookOpen,
  ChartColumn,
  CreditCard,
  KeyRound,
  Languages,
  ListTree,
  LogOut,
  Moon,
  Search,
  Sun,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Activation, listActivations } from '#shared/contract/activations.ts';
import { isPayable } from '#shared/domain/cycle.ts';
import { useCall } from '#web/api/use-call.ts';
import classes from '#web/shell/command-palette.module.css';
import { HindiWord } from '#web/shell/hindi-word.tsx';
import { useOtherLanguage } from '#web/shell/language-switch.tsx';
import { leave } from '#web/shell/leave.ts';
import { usePaletteFinds } from '#web/shell/palette-finds.tsx';
import { paletteTexts as texts } from '#web/shell/palette-texts.ts';
import type { Destination } from '#web/shell/place.ts';
import { useColorSchemeToggle } from '#web/ui/color-scheme-toggle.ts';
import { ProductMark } from '#web/ui/product-mark.tsx';

interface CommandPaletteProps {
  /** Increases each time the search is opened. */
  wanted: number;
  pages: readonly Destination[];
}

/** Search over activations, pages and actions (Ctrl or ⌘ K). */
export function CommandPalette({ wanted, pages }: CommandPaletteProps) {
  const navigate = useNavigate();
  const { isDark, toggle } = useColorSchemeToggle();
  const activations = useCall(listActivations, {}).data?.activations ?? [];
  const go = (path: string) => () => void navigate(path);
  const [query, setQuery] = useState('');
  const { word, name, lang, choose } = useOtherLanguage();
  const found = usePaletteFinds(query, activations, go);

  useEffect(() => {
    if (wanted > 0) spotlight.open();
  }, [wanted]);

  const groups: SpotlightActionGroupData[] = [
    { group: texts.found, actions: found },
    {
      group: texts.activations,
      actions: activations.map(({ id, service }) => ({
        id,
        label: service.name,
        description: id,
        keywords: [service.id],
        leftSection: <ProductMark of={service} size={20} bare />,
        onClick: go(`/activations/${id}`),
      })),
    },
    {
      group: texts.actions,
      actions: [
        ...activations.flatMap(actionsOf).map(({ id, label, keywords, path, icon: Icon }) => ({
          id,
          label,
          keywords,
          leftSection: <Icon size={18} />,
          onClick: go(path),
        })),
        {
          id: 'theme',
          label: isDark ? texts.light : texts.dark,
          keywords: texts.themeWords,
          leftSection: isDark ? <Sun size={18} /> : <Moon size={18} />,
          onClick: toggle,
        },
        {
          id: 'language',
          label: lang === 'hi' ? texts.inHindi : name,
          keywords: ['hindi', 'english', 'language', 'हिन्दी', 'हिंदी', 'भाषा', word, name],
          leftSection: <Languages size={18} />,
          // Readable without a Devanagari font, too.
          ...(lang === 'hi' && { rightSection: <HindiWord height={16} /> }),
          onClick: () => void choose(),
        },
        { id: 'logout', label: texts.logout, leftSection: <LogOut size={18} />, onClick: () => void leave() },
      ],
    },
    {
      group: texts.pages,
      actions: pages.map(({ path, name, icon: Icon, keywords }) => ({
        id: path,
        label: name(),
        keywords: [...keywords],
        leftSection: <Icon size={18} />,
        onClick: go(path),
      })),
    },
  ];

  return (
    <Spotlight
      actions={groups.filter((group) => group.actions.length > 0)}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      attributes={{ content: { 'aria-label': texts.label } }}
      nothingFound={texts.nothing}
      highlightQuery
      scrollable
      maxHeight="60vh"
      radius={14}
      overlayProps={{ color: 'var(--p-overlay)', backgroundOpacity: 1, blur: 0 }}
      classNames={{
        content: classes.content ?? '',
        search: classes.search ?? '',
        actionsGroup: classes.group ?? '',
        action: classes.action ?? '',
      }}
      searchProps={{ leftSection: <Search size={18} />, placeholder: texts.placeholder, 'aria-label': texts.label }}
    />
  );
}

/** Actions on an activation, available on every page. */
function actionsOf({ id, service, billingCycles }: Activation) {
  const unpaid = billingCycles.some(isPayable);
  const actions = [
    {
      id: `keys ${id}`,
      label: texts.keys(service.name),
      path: `/api/${id}?tab=keys`,
      icon: KeyRound,
      keywords: ['generate', 'create', 'revoke', 'rotate', 'replace', 'leaked', id],
    },
    {
      id: `usage ${id}`,
      label: texts.usage(service.name),
      path: `/api/${id}`,
      icon: ChartColumn,
      keywords: ['quota', id],
    },
    {
      id: `requests ${id}`,
      label: texts.requests(service.name),
      path: `/activations/${id}/requests`,
      icon: ListTree,
      keywords: ['calls', 'errors', 'latency', 'failed', 'why', 'download', 'csv', id],
    },
    {
      id: `reference ${id}`,
      label: texts.reference(service.name),
      path: `/reference/${service.id}`,
      icon: BookOpen,
      keywords: ['docs', 'documentation', 'samples', 'try', 'download', 'openapi', 'postman', id],
    },
  ];
  if (!unpaid) return actions;
  return [
    ...actions,
    {
      id: `pay ${id}`,
      label: texts.pay(service.name),
      path: `/activations/${id}/billing`,
      icon: CreditCard,
      keywords: ['pay', id],
    },
  ];
}
