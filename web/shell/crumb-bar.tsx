import { ArrowLeft } from 'lucide-react';
import { Link, useLocation, useMatches, useNavigate } from 'react-router';
import { listProducts } from '#shared/contract/marketplace.ts';
import { useCall } from '#web/api/use-call.ts';
import { shellTexts as texts } from '#web/shell/texts.ts';
import classes from '#web/shell/crumb-bar.module.css';
import { crumbsOf } from '#web/shell/crumbs.ts';

/** Back and the way to this page. Hidden on / (product §2.27). */
export function CrumbBar() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const matches = useMatches();
  const products = useCall(listProducts, {}, { enabled: matches.at(-1)?.params['productId'] !== undefined });
  if (pathname === '/') return null;
  const crumbs = crumbsOf(
    matches,
    (id) => products.data?.find((product) => product.id === id || product.aliases.includes(id))?.name ?? id,
  );

  async function goBack(): Promise<void> {
    // A link that was followed before the code was there loads a page anew, where the router's own count begins at 0.
    const state: unknown = window.history.state;
    const inVisit = typeof state === 'object' && state !== null && 'idx' in state && Number(state.idx) > 0;
    const visited = inVisit || ('navigation' in window && window.navigation.canGoBack);
    if (visited) await navigate(-1);
    else await navigate(crumbs.at(-2)?.path ?? '/');
  }

  return (
    <div className={classes['bar']} data-print="hidden">
      <div className={classes['inner']}>
        <button type="button" className={classes['back']} onClick={() => void goBack()}>
          <ArrowLeft size={16} aria-hidden="true" />
          {texts.back}
        </button>
        <span className={classes['rule']} aria-hidden="true" />
        <nav aria-label={texts.breadcrumb} className={classes['nav']}>
          <ol className={classes['list']}>
            {crumbs.map(({ name, path, isId }) => (
              <li
                key={`${name} ${path ?? ''}`}
                className={isId ? 'mono' : undefined}
                {...(path === null && { 'aria-current': 'page' as const })}
              >
                {path === null ? <span className={classes['here']}>{name}</span> : <Link to={path}>{name}</Link>}
              </li>
            ))}
          </ol>
        </nav>
      </div>
    </div>
  );
}
