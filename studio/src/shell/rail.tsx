// The nouns, with a count where a count means work to do.
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useHindrance } from '@/api/session';
import { pages } from '@/pages/all';
import { useNeeds } from './needs';

export function Rail({ open, onGo }: { open: boolean; onGo: () => void }) {
  const hindrance = useHindrance();
  const needs = useNeeds();
  const seen = pages.filter((page) => !page.noun || !hindrance(page.noun, 'read'));
  return (
    <nav className="rail" data-open={open} aria-label="Pages" onClick={onGo}>
      <Link to="/" className="brand">
        <img src="/favicon.svg" alt="" />
        Quorate
      </Link>
      {seen.map((page) => {
        const own = needs.filter((need) => need.page === page.path);
        return (
          <Fragment key={page.path}>
            {page.gap && <div className="rail-gap" />}
            <Link to={page.path} className="rail-link" activeOptions={{ exact: page.path === '/', includeSearch: false }} aria-keyshortcuts={`g ${page.letter}`}>
              <page.icon size={16} aria-hidden />
              {page.title}
              {own.length > 0 && (
                <span className="rail-count" data-tone={own.some((need) => need.tone === 'bad') ? 'bad' : 'warn'} title={own.map((need) => need.says).join('; ')}>
                  {own.length > 99 ? '99+' : own.length}
                </span>
              )}
            </Link>
          </Fragment>
        );
      })}
    </nav>
  );
}
