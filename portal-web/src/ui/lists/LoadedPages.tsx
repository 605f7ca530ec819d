import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useQuery, type AnyVariables, type TypedDocumentNode } from 'urql';
import { useLoadedMore } from './useLoadedMore.ts';

type ListPage = { pageInfo: { hasNextPage: boolean; endCursor: string | null } };

type LoadedPagesProps<Data, Variables extends AnyVariables, Page extends ListPage> = {
  /** What tells the list apart from others at the same address. */
  list: string;
  first: Page;
  query: TypedDocumentNode<Data, Variables>;
  variables: (after: string) => Variables;
  pageIn: (data: Data) => Page;
  /** The items of a page. `readAgain` reads that page and those before it. */
  children: (page: Page, readAgain: () => void) => ReactNode;
  onReadAgain?: () => void;
  /** The element around the button, where items have to be of a certain kind. */
  frame?: 'div' | 'li';
};

/** A list's first page, and behind it as many more as the reader has loaded. Each page begins where the one before it ends now. */
export function LoadedPages<Data, Variables extends AnyVariables, Page extends ListPage>(props: LoadedPagesProps<Data, Variables, Page>) {
  const [count, change] = useLoadedMore(props.list);
  return <PageAndMore {...props} page={props.first} index={0} count={count} onMore={change} readAgain={props.onReadAgain ?? nothing} />;
}

type InChain<Page> = { index: number; count: number; onMore: (count: number) => void; readAgain: () => void; page: Page };

function PageAndMore<Data, Variables extends AnyVariables, Page extends ListPage>(
  props: LoadedPagesProps<Data, Variables, Page> & InChain<Page>,
) {
  const { page, index, count, onMore, readAgain, children, frame: Frame = 'div' } = props;
  const { hasNextPage, endCursor } = page.pageInfo;
  return (
    <>
      {children(page, readAgain)}
      {hasNextPage && endCursor && index < count && <NextPage {...props} after={endCursor} />}
      {hasNextPage && endCursor && index >= count && (
        <Frame style={wholeLine}>
          <Button variant="default" onClick={() => onMore(index + 1)}>
            Load more
          </Button>
        </Frame>
      )}
    </>
  );
}

function NextPage<Data, Variables extends AnyVariables, Page extends ListPage>({
  after,
  ...props
}: LoadedPagesProps<Data, Variables, Page> & InChain<Page> & { after: string }) {
  const { query, variables, pageIn, index, frame: Frame = 'div' } = props;
  const [{ data, fetching }, read] = useQuery({ query, variables: variables(after) });
  if (!data) {
    return (
      <Frame style={wholeLine}>
        <Text c="dimmed">{fetching ? 'Loading more …' : 'The next page could not be loaded. Reload this page and try again.'}</Text>
      </Frame>
    );
  }
  const readAgain = () => {
    props.readAgain();
    read({ requestPolicy: 'network-only' });
  };
  return <PageAndMore {...props} page={pageIn(data)} index={index + 1} readAgain={readAgain} />;
}

const wholeLine = { gridColumn: '1 / -1' };
const nothing = () => undefined;
