import type { Page } from 'playwright-core';

/**
 * Words on the page in a size or a weight that is none of the theme's, each with what it has, as in "13px 600: Copied". The page's own custom
 * properties say what the theme's are, since one of the sizes grows with the window.
 */
export function strayType(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const probe = document.body.appendChild(document.createElement('span'));
    const known = (property, names) => new Set(names.map((name) => {
      probe.style[property] = 'var(--mantine-' + property.replace('S', '-s').replace('W', '-w') + '-' + name + ')';
      return getComputedStyle(probe)[property];
    }));
    const sizes = known('fontSize', ['xs', 'sm', 'md', 'lg', 'xl']);
    const weights = known('fontWeight', ['regular', 'medium', 'bold']);
    probe.remove();
    const stray = new Set();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { textContent, parentElement } = texts.currentNode;
      if (textContent.trim() === '' || !parentElement.checkVisibility() || parentElement.closest('script, style, noscript, svg')) continue;
      const { fontSize, fontWeight } = getComputedStyle(parentElement);
      if (fontSize === '0px' || (sizes.has(fontSize) && weights.has(fontWeight))) continue;
      stray.add(fontSize + ' ' + fontWeight + ': ' + textContent.trim().slice(0, 30));
    }
    return [...stray].slice(0, 10);
  })()`);
}

/** Boxes of the page with a border all round whose corners are none of the theme’s middle size, as in "section 16px: Panel-module_panel". */
export function strayCorners(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const boxes = [...document.querySelectorAll('main :not(input, textarea, select, button, img, svg, svg *)')].filter((each) => {
      const { borderTopWidth, borderBottomWidth, borderLeftWidth, borderRightWidth } = getComputedStyle(each);
      const { width, height } = each.getBoundingClientRect();
      return width >= 240 && height >= 48 && each.checkVisibility() &&
        [borderTopWidth, borderBottomWidth, borderLeftWidth, borderRightWidth].every((side) => parseFloat(side) > 0);
    });
    const stray = boxes.filter((each) => getComputedStyle(each).borderTopRightRadius !== '8px');
    return [...new Set(stray.map((each) => each.localName + ' ' + getComputedStyle(each).borderTopRightRadius + ': ' + each.className))].slice(0, 10);
  })()`);
}

/** Names in code, such as problem codes, that stand on two lines although they would fit on one. */
export function brokenNames(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('main :is(code, a)')].filter((each) => {
    if (!/^[a-z]+(_[a-z]+)+$/.test(each.textContent) || each.textContent.length > 34 || !each.checkVisibility()) return false;
    const text = document.createRange();
    text.selectNodeContents(each);
    const bottoms = [...text.getClientRects()].filter(({ width }) => width > 0).map(({ bottom }) => bottom);
    return Math.max(...bottoms) - Math.min(...bottoms) > 8;
  }).map((each) => each.textContent)`);
}

/** The heights of the buttons that have words in one line. */
export function buttonHeights(page: Page): Promise<number[]> {
  return page.evaluate<number[]>(`[...new Set([...document.querySelectorAll('.mantine-Button-root')]
    .filter((each) => each.checkVisibility() && each.querySelector('.mantine-Button-label').getClientRects()[0].height < 34)
    .map((each) => Math.round(each.getBoundingClientRect().height)))].sort()`);
}

/** Buttons that cannot be pressed and whose words are hard to read, as in "1.7: Submit for review". Tools leave them out, but readers want to know what they could do. */
export function faintButtons(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const luminance = (colour) => {
      const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => part / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    return [...document.querySelectorAll('.mantine-Button-root:is(:disabled, [data-disabled]):not([data-loading])')].flatMap((each) => {
      const { color, backgroundColor } = getComputedStyle(each);
      const [darker, lighter] = [luminance(color), luminance(backgroundColor)].sort((a, b) => a - b);
      const contrast = (lighter + 0.05) / (darker + 0.05);
      return contrast < 4.5 ? [contrast.toFixed(1) + ': ' + each.innerText] : [];
    });
  })()`);
}
