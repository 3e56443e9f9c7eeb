import type { MantineColorsTuple } from '@mantine/core';

// Ten steps each. The neutrals hold a little green-yellow, so that the green of the brand sits in them.
export const brand: MantineColorsTuple = [
  '#f1faf5',
  '#dff5e9',
  '#c3ead4',
  '#98d8b5',
  '#6bc596',
  '#3fa471',
  '#258356',
  '#106641',
  '#094f33',
  '#053321',
];
export const gray: MantineColorsTuple = [
  '#fafaf8',
  '#f4f5f2',
  '#ecedea',
  '#e2e4e0',
  '#d0d2ce',
  '#8e928d',
  '#686e68',
  '#494f4a',
  '#2c322e',
  '#171e1a',
];
export const dark: MantineColorsTuple = [
  '#ebedeb',
  '#bbbfbc',
  '#949a96',
  '#6d7370',
  '#343937',
  '#252928',
  '#1b1f1e',
  '#141716',
  '#0c0f0e',
  '#060807',
];
export const yellow: MantineColorsTuple = [
  '#fffaed',
  '#fdf1d0',
  '#fbe0a1',
  '#f8ca6a',
  '#f5b33b',
  '#ea9d25',
  '#cd7f1e',
  '#9b5914',
  '#7c4613',
  '#563011',
];
export const red: MantineColorsTuple = [
  '#fff4f3',
  '#ffe7e5',
  '#ffd1cd',
  '#ffada8',
  '#f98580',
  '#ec5851',
  '#d23934',
  '#b02b27',
  '#8d2420',
  '#5a1a16',
];
