import { expect, test } from 'vitest';
import { criticalCss } from './critical-css.ts';

const html = '<div id="root" class="page m_1 wide"><button class="ok">Go</button></div>';

test.each([
  ['a rule for what is there', '.page{color:red}', '.page{color:red}'],
  ['a rule for what is not', '.dialog{color:red}.page .dialog{color:blue}', ''],
  ['one of several selectors', '.dialog,.page .ok,nav{color:red}', '.page .ok{color:red}'],
  ['a selector with conditions', ':where([data-x="a,b"]) .ok:not(.gone)::after{content:"}"}', 'same'],
  ['what comes with a pointer', '.ok:hover{color:red}@media (hover:hover){.ok:hover{color:red}}', ''],
  [
    'a page in a media query',
    '@media (max-width:48em){.page{color:red}nav{color:red}}',
    '@media (max-width:48em){.page{color:red}}',
  ],
  ['what is for paper, and fonts', '@media print{.page{color:red}}@font-face{font-family:A;src:url(/a.woff2)}', ''],
  ['an animation', '@keyframes b{0%{opacity:0}}', 'same'],
  ['an at-rule without a block', '@layer a,b;.page{color:red}', '@layer a,b;.page{color:red}'],
  [
    'variables that are used, also by others',
    ':root{--a:1px;--b:var(--a);--c:2px}.page{margin:var(--b)}',
    ':root{--a:1px;--b:var(--a);}.page{margin:var(--b)}',
  ],
])('%s', (_what, css, expected) => {
  expect(criticalCss(css, html)).toBe(expected === 'same' ? css : expected);
});
