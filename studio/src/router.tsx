// The addresses: one route for every page of the list, and a page that says so for every other.
import { Link, createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { pages } from './pages/all';
import { Empty, Failed, Loading } from './parts/blank';
import { Page } from './parts/page';
import { Frame } from './shell/frame';
import { placeOf } from './shell/place';

const root = createRootRoute({ component: Frame, notFoundComponent: Nowhere });
const routes = pages.map((page) => createRoute({ getParentRoute: () => root, path: page.path, component: lazyRouteComponent(page.load) }));

/** An address as the plane gives it is the page with its drawer open. */
export function settle(): void {
  const place = placeOf(location.pathname);
  if (place) history.replaceState(null, '', `${place.to}?${new URLSearchParams(place.search).toString()}`);
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
