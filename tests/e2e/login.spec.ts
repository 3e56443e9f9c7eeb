import { signOut } from '#shared/contract/account.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { newCustomer } from './customer-calls.ts';
import { signInAsNew } from './customer.ts';
import { intercept } from './failures.ts';
import { changePerson, keepSession, openAs, sessionStorageKey } from './signed-in.ts';
import { expect, test } from './visitor.ts';

test('the login page explains its purpose in two columns', async ({ page, isMobile }) => {
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1, name: 'One dashboard to manage everything' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Signup or Login' })).toBeVisible();
  await expect(page.getByText(/Activate plans, read your billing history and issue developer API keys/)).toBeVisible();
  await expect(page.getByText('Your Google account is linked to all your products and subscriptions.')).toBeVisible();
  await expect(page.getByText('24/7 support')).toBeVisible();
  await expect(page.getByText('99.9% uptime')).toBeVisible();
  if (isMobile) return;
  const [left, picture] = await Promise.all([
    page.locator('main > section').first().boundingBox(),
    page.locator('main > *').nth(1).boundingBox(),
  ]);
  expect(picture?.x).toBeGreaterThanOrEqual((left?.x ?? 0) + (left?.width ?? 0) - 1);
});

test('the login page is there before its code, in the language that was chosen last', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('language', 'hi'));
  // Without a response, the page waits for its code.
  await page.route('**/assets/*.js', () => undefined);
  await page.goto('/login', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'सब कुछ सँभालने के लिए एक डैशबोर्ड' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Signup or Login' })).toBeHidden();
});

test('the picture of the login page stays while the page begins to work, however late its code comes', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, 'A phone shows no picture.');
  // Chosen colours that the server can't know have the page drawn again at once.
  await page.addInitScript(() => {
    localStorage.setItem('mantine-color-scheme-value', 'dark');
    const seen = { picture: false, gone: false };
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const isThere = document.querySelector<HTMLElement>('main > [inert]')?.checkVisibility() ?? false;
      seen.gone ||= seen.picture && !isThere;
      seen.picture ||= isThere;
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  await page.route('**/assets/login-picture-*.js', () => undefined);
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Switch to light mode' })).toBeVisible();
  await expect(page.locator('main [aria-busy=false]')).toBeVisible();
  expect(await page.evaluate(() => ('seen' in window ? window.seen : undefined))).toEqual({
    picture: true,
    gone: false,
  });
});

test('the login page leaves the code of the portal until somebody is about to sign in', async ({ page }) => {
  const files: string[] = [];
  page.on('request', (request) => files.push(new URL(request.url()).pathname));
  const ofPortal = () => files.filter((path) => /\/(?:portal|frame|panels|login-picture)-[^/]*\.js$/.test(path));
  await page.goto('/login');
  await expect(page.locator('main [aria-busy=false]')).toBeVisible();
  // What comes by itself a moment later.
  await expect.poll(() => files.some((path) => path.includes('/notices-'))).toBe(true);
  await page.waitForLoadState('networkidle');
  expect(ofPortal()).toEqual([]);
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await expect.poll(() => ofPortal().some((path) => path.includes('/portal-'))).toBe(true);
});

test('the picture of the login page is in the language that is chosen on it', async ({ page, isMobile }) => {
  test.skip(isMobile, 'A phone shows no picture.');
  await page.goto('/login');
  const picture = page.locator('main > [inert]');
  await expect(page.locator('main [aria-busy=false]')).toBeVisible();
  const before = await picture.innerText();
  await page.locator('button[lang=hi]').click();
  await expect(picture).not.toHaveText(before, { useInnerText: true });
  await expect(picture).toContainText(/[\u0900-\u097f]/);
});

test('a signed-in customer sees nothing of the login page before its code either', async ({ page, newcomer }) => {
  await keepSession(page, newcomer.token);
  await page.route('**/assets/*.js', () => undefined);
  await page.goto('/login', { waitUntil: 'commit' });
  await expect(page.locator('#root')).toBeEmpty();
});

test('/ leads an anonymous visitor to the login page and a customer to the marketplace', async ({ page, newcomer }) => {
  await page.goto('/');
  await expect(page).toHaveURL('/login');
  await openAs(page, newcomer, '/');
  await expect(page).toHaveURL('/marketplace');
});

test('a signed-in customer who visits the login page is redirected', async ({ page, newcomer }) => {
  await openAs(page, newcomer, '/login');
  await expect(page).toHaveURL('/marketplace');
  await page.goto('/login?redirect=%2Fbilling%3Ffilter%3Dpaid');
  await expect(page).toHaveURL('/billing?filter=paid');
});

test('after signing in, an anonymous visitor returns to the requested page and query', async ({ page }) => {
  await page.goto('/developers?from=mail');
  await expect(page).toHaveURL('/login?redirect=%2Fdevelopers%3Ffrom%3Dmail');
  await signInAsNew(page, page.url(), 'Developer Portal');
  await expect(page).toHaveURL('/developers?from=mail');
});

for (const redirect of [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '/\t/evil.example',
  'javascript:1',
])
  test(`redirect=${JSON.stringify(redirect)} never leaves the portal`, async ({ page, newcomer, baseURL }) => {
    await openAs(page, newcomer, `/login?redirect=${encodeURIComponent(redirect)}`);
    await expect(page).toHaveURL(`${baseURL}/marketplace`);
  });

test('an identity that the portal refuses shows an error', async ({ page }) => {
  await page.route('**/backend/account/google-login', (route) =>
    route.continue({ postData: JSON.stringify({ googleIdToken: 'not.a.token' }) }),
  );
  await signInAsNew(page, '/login', null);
  await expect(page.getByRole('alert').getByText('Login failed. Please try again.')).toBeVisible();
  await expect(page).toHaveURL('/login');
});

test('Logout ends the session here, in other tabs, and on the server', async ({ page, context, product }) => {
  const customer = await newCustomer(product);
  await openAs(page, customer, '/marketplace');
  const other = await context.newPage();
  await other.goto('/billing');
  await expect(other.getByRole('heading', { name: 'Billing Portal' })).toBeVisible();
  const [menu, logout] = [
    page.getByRole('button', { name: 'Open menu' }),
    page.getByRole('button', { name: 'Logout' }),
  ];
  await expect(menu.or(logout).first()).toBeVisible();
  if (await menu.isVisible()) await menu.click();
  const ended = page.waitForResponse('**/backend/account/sign-out');
  await logout.click();
  await ended;
  await expect(page).toHaveURL('/login');
  await expect(other).toHaveURL('/login');
  await expect(other.getByText('Your session has ended')).toBeVisible();
  await expect(page.getByText('Your session')).toBeHidden();
  expect(await page.evaluate((key) => localStorage.getItem(key), sessionStorageKey)).toBeNull();
  await expect(customer.send(listActivations, {})).rejects.toThrow(/401.*Unauthorized access/);
});

test('a tab that learns of a Logout and the next sign-in at once shows the second customer nothing of the first', async ({
  page,
  context,
  product,
  isMobile,
}) => {
  test.skip(isMobile, 'The header of a phone has no e-mail address.');
  const [first, second] = [await newCustomer(product), await newCustomer(product)];
  await openAs(page, first, '/support');
  await page.getByLabel('Subject').fill('Only of the first');
  const other = await context.newPage();
  await other.goto('/mark.svg');
  await changePerson(other, second.token);
  await expect(page).toHaveURL('/marketplace');
  await expect(page.getByRole('banner').getByText(second.email)).toBeVisible();
  await expect(page.getByRole('banner').getByText(first.email)).toBeHidden();
});

test('Logout ends the session here at once, even if the server does not respond', async ({
  page,
  product,
  isMobile,
}) => {
  test.skip(isMobile, 'The menu of a phone has the same button.');
  const interception = await intercept(page, signOut);
  await openAs(page, await newCustomer(product), '/marketplace');
  await interception.set('hold');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/login');
  expect(await page.evaluate((key) => localStorage.getItem(key), sessionStorageKey)).toBeNull();
});

test('a browser that refuses storage to the portal still shows the login page', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
    }
  });
  await page.goto('/');
  await expect(page.getByText('Signup or Login')).toBeVisible();
});

test('a session that the server has ended leads to the login page', async ({ page }) => {
  await keepSession(page, 'no-session-of-ours');
  await page.goto('/api/ACT-NONE?tab=keys');
  await expect(page).toHaveURL('/login?redirect=%2Fapi%2FACT-NONE%3Ftab%3Dkeys');
  await expect(page.getByRole('status').getByText(/^Your session has ended: not used for 30 minutes/)).toBeVisible();
  expect(await page.evaluate((key) => localStorage.getItem(key), sessionStorageKey)).toBeNull();
});
