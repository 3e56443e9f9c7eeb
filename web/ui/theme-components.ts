import {
  ActionIcon,
  type AlertProps,
  Button,
  Loader,
  type MantineTheme,
  type MantineThemeComponents,
  rem,
} from '@mantine/core';
import classes from '#web/ui/theme.module.css';

type ButtonShape = [height: number, padX: number, size: string];
const mediumButton: ButtonShape = [36, 14, 'md'];
const buttonShapes: Partial<Record<string, ButtonShape>> = {
  xs: [28, 10, 'caption'],
  sm: [32, 12, 'caption'],
  md: mediumButton,
  lg: [44, 20, 'md'],
};

const surface = { backgroundColor: 'var(--p-surface)', '--paper-border-color': 'var(--p-border)' };
const alertLines: Partial<Record<string, string>> = { yellow: 'warn-line', red: 'danger-line', brand: 'accent-line' };

/**
 * Default props and shapes of Mantine's components. Those that not every page shows are plain objects: naming the component
 * would bring its code into the first load.
 */
export const themeComponents: MantineThemeComponents = {
  Button: Button.extend({
    defaultProps: { size: 'md' },
    classNames: { root: classes['button'] ?? '' },
    vars: (_theme, props) => {
      const [height, padX, size] = buttonShapes[String(props.size ?? 'md')] ?? mediumButton;
      return {
        root: {
          '--button-height': rem(height),
          '--button-padding-x': rem(padX),
          '--button-fz': `var(--mantine-font-size-${size})`,
        },
      };
    },
    styles: { label: { fontWeight: 500 } },
  }),
  ActionIcon: ActionIcon.extend({
    defaultProps: { variant: 'subtle', color: 'gray', size: 32 },
    classNames: { root: classes['iconButton'] ?? '' },
  }),
  Card: {
    defaultProps: { withBorder: true, radius: 'lg', padding: 'lg', shadow: 'xs' },
    styles: { root: surface },
  },
  Paper: { defaultProps: { radius: 'lg' }, styles: { root: surface } },
  Container: { defaultProps: { size: 1184, px: { base: 'md', sm: 32 } } },
  Badge: {
    defaultProps: { variant: 'light', radius: 'sm', size: 'md' },
    styles: {
      root: { height: rem(22), paddingInline: rem(8) },
      label: { fontSize: rem(11), fontWeight: 600, letterSpacing: 'var(--capitals-spacing)' },
    },
  },
  Alert: {
    defaultProps: { variant: 'light', radius: 10, color: 'gray' },
    vars: (_theme: MantineTheme, props: AlertProps) => ({
      root: { '--alert-bd': `1px solid var(--p-${alertLines[String(props.color)] ?? 'border'})` },
    }),
    styles: { root: { paddingBlock: rem(12) }, title: { fontWeight: 600 }, message: { color: 'var(--p-text-2)' } },
  },
  Tabs: {
    vars: () => ({ root: { '--tabs-color': 'var(--p-accent-text)' } }),
    styles: {
      list: { '--tab-border-color': 'var(--p-border)', '--tabs-list-border-width': '1px' },
      tab: { fontWeight: 500, height: 'var(--p-tab-height, 42px)', paddingInline: rem(12) },
    },
  },
  Table: {
    defaultProps: { verticalSpacing: 8, horizontalSpacing: 'md', highlightOnHover: true, tabularNums: true },
    styles: { th: { fontSize: rem(12), fontWeight: 500, color: 'var(--p-text-3)' } },
  },
  Progress: { defaultProps: { size: 8, radius: 'xs' } },
  Modal: {
    defaultProps: {
      size: 480,
      radius: 14,
      padding: 'lg',
      yOffset: '7vh',
      overlayProps: { color: 'var(--p-overlay)', backgroundOpacity: 1 },
      transitionProps: { transition: 'fade', duration: 300 },
      // Mantine draws a header element, which would be a second banner of the page.
      attributes: { header: { role: 'presentation' } },
    },
    classNames: {
      inner: classes['modalInner'] ?? '',
      content: classes['modalContent'] ?? '',
      header: classes['modalHeader'] ?? '',
    },
    styles: { title: { fontSize: rem(18), fontWeight: 600, letterSpacing: '-0.012em' } },
  },
  Stepper: { defaultProps: { size: 'xs', iconSize: 20 } },
  SegmentedControl: {
    defaultProps: { size: 'sm', withItemsBorders: false },
    styles: { root: { backgroundColor: 'var(--p-seg)' }, indicator: { backgroundColor: 'var(--p-seg-on)' } },
  },
  Input: {
    classNames: { input: classes['input'] ?? '' },
  },
  InputWrapper: {
    defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    styles: {
      label: { fontSize: rem(13), fontWeight: 550, lineHeight: rem(20), marginBottom: rem(6) },
      description: { fontSize: rem(13), lineHeight: rem(20), marginTop: rem(6) },
      error: { fontSize: rem(13), lineHeight: rem(20), marginTop: rem(6) },
    },
  },
  Checkbox: { classNames: { input: classes['tick'] ?? '' } },
  Radio: { classNames: { radio: classes['tick'] ?? '' } },
  Notification: {
    defaultProps: { withBorder: true, radius: 10 },
    classNames: {
      root: classes['toast'] ?? '',
      icon: classes['toastIcon'] ?? '',
      title: classes['toastTitle'] ?? '',
    },
  },
  Timeline: {
    defaultProps: { bulletSize: 14, lineWidth: 2 },
    vars: () => ({ root: { '--tl-color': 'var(--p-accent-text)' } }),
  },
  Menu: { defaultProps: { radius: 10, shadow: 'md', position: 'bottom-end' } },
  Tooltip: { defaultProps: { openDelay: 300, withArrow: false } },
  Loader: Loader.extend({ defaultProps: { size: 16 } }),
  Skeleton: { defaultProps: { radius: 'sm' } },
  NumberFormatter: { defaultProps: { thousandSeparator: ',', thousandsGroupStyle: 'lakh' } },
};
