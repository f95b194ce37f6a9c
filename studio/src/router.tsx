// The addresses: one route for every page of the list, and a page that says so for every other.
import { Link, createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { pages } from './pages/all';
import { Empty, Failed, Loading } from './parts/blank';
import { Page } from './parts/page';
import { Frame } from './shell/frame';

const root = createRootRoute({ component: Frame, notFoundComponent: Nowhere });
const routes = pages.map((page) => createRoute({ getParentRoute: () => root, path: page.path, component: lazyRouteComponent(page.load) }));

/** `/agents/worker-1`, as the plane names a place, is the page with its drawer open. */
export function settle(): void {
  const [, page, run, id] = /^(\/[^/]+)\/(runs\/)?(.+)$/.exec(location.pathname) ?? [];
  if (!id || !pages.some((one) => one.path === page)) return;
  history.replaceState(null, '', `${page}?${run ? 'run' : 'id'}=${id}`);
}

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Loading />,
  defaultErrorComponent: ({ error }) => <Failed error={error} />,
  // Plain words: an id of digits stays a text.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const said = Object.entries(search as Record<string, unknown>).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString();
    return text && `?${text}`;
  },
});

function Nowhere() {
  return (
    <Page title="Nowhere" answer="There is no page at this address.">
      <Empty title="The link may be old.">
        Go to the <Link to="/">Overview</Link>, or press <kbd>/</kbd> and find it by its id.
      </Empty>
    </Page>
  );
}
