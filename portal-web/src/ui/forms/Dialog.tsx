import { Modal, type MantineSize } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';

type DialogProps = {
  title: string;
  size?: MantineSize;
  /** Whether only its own buttons close it, for what is shown once. */
  stays?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** A dialog, which is there for as long as it is rendered. When it goes, the focus is where it was before. */
export function Dialog({ title, size = 'md', stays = false, onClose, children }: DialogProps) {
  useReturnOfFocus();
  return (
    <Modal
      opened
      title={title}
      size={size}
      onClose={onClose}
      withCloseButton={!stays}
      closeOnEscape={!stays}
      closeOnClickOutside={!stays}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  );
}

/** Mantine gives the focus back only where a dialog stays rendered while it is closed, and every one of ours is rendered again. */
function useReturnOfFocus(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // The act may have taken away what it was called from. The heading is where a page begins.
      const target = opener?.isConnected ? opener : document.querySelector('h1');
      if (target instanceof HTMLElement && target !== document.body) target.focus({ preventScroll: true });
    },
    [opener],
  );
}
