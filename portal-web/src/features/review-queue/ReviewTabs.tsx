import { paths } from '../../paths.ts';
import { askForPage } from '../../ui/layout/preloadPages.ts';
import { TabNav } from '../../ui/layout/TabNav.tsx';
import type { ReviewCounts } from './reviewCountsFragment.ts';

/** What reviewers have to do, and what they can read. The last two are pages of their own. */
const tabs = {
  mine: { word: 'Mine', path: paths.reviewTab('mine') },
  unassigned: { word: 'Unassigned', path: paths.reviewTab('unassigned') },
  colleagues: { word: 'With colleagues', path: paths.reviewTab('colleagues') },
  waitingForOwner: { word: 'Waiting for owner', path: paths.reviewTab('waitingForOwner') },
  decided: { word: 'Decided', path: paths.reviewTab('decided') },
  reports: { word: 'Reports', path: paths.businessModels },
  revisions: { word: 'Minor revisions', path: paths.minorRevisions },
} as const;
type ReviewTab = keyof typeof tabs;

/** More than this is not counted. */
const most = 100;

/** The tabs of the reviewers' pages, each with how much there is in it. */
export function ReviewTabs({ current, counts }: { current: ReviewTab; counts: ReviewCounts }) {
  const countWords = (tab: ReviewTab) => (counts[tab] > most ? `${most}+` : String(counts[tab]));
  return (
    <TabNav
      label="Reviews"
      tabs={(Object.keys(tabs) as ReviewTab[]).map((tab) => ({
        word: `${tabs[tab].word} ${countWords(tab)}`,
        path: tabs[tab].path,
        current: tab === current,
      }))}
      onNear={(path) => void askForPage(path)}
    />
  );
}
