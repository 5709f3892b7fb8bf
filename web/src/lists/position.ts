// Where a list of any length is scrolled to.
//
// A browser cannot scroll further than some ten million pixels. A longer list gets a scroll bar of that length;
// `exact` is the position in the list, which the wheel moves pixel by pixel.

/** The most pixels that a browser is asked to scroll. */
export const MAX_SCROLL = 8_000_000;

export type Report = (offset: number, isScrolling: boolean) => void;

type Scrolled = Pick<HTMLElement, "scrollTop" | "clientHeight" | "addEventListener" | "removeEventListener">;

export class ScrollPosition {
  /** The top of the view, in pixels of the list. */
  exact = 0;
  #total = 0;
  #placed = -1;
  #report: Report | null = null;

  /** Set the height of the whole list, in pixels. */
  resize(total: number): void {
    this.#total = total;
  }

  /** Pixels of the list for each pixel of the scroll bar. */
  scale(view: number): number {
    return this.#total > MAX_SCROLL ? (this.#total - view) / (MAX_SCROLL - view) : 1;
  }

  /**
   * Move the view, within the bounds of the list; where it is already, the browser's rounding changes nothing.
   *
   * The list may have become shorter since the caller asked: the browser would stop at its end without saying so.
   */
  moveTo(element: Scrolled, offset: number): void {
    this.exact = Math.max(0, Math.min(this.#total - element.clientHeight, offset));
    element.scrollTop = this.exact / this.scale(element.clientHeight);
    this.#placed = element.scrollTop;
    this.#report?.(this.exact, false);
  }

  /** Move the view by some pixels of the list. */
  moveBy(element: Scrolled, pixels: number): void {
    this.moveTo(element, this.exact + pixels);
  }

  /** Bring a row into view, in the middle, if it is not visible. */
  show(element: Scrolled, top: number, height: number): void {
    if (top < this.exact || top + height > this.exact + element.clientHeight) {
      this.moveTo(element, top - element.clientHeight / 2);
    }
  }

  /** Report each change of the position; returns what ends that. */
  follow(element: Scrolled, report: Report): () => void {
    this.#report = report;
    const onScroll = () => {
      const scale = this.scale(element.clientHeight);
      // Not what `moveTo` did: that is known exactly.
      if (scale === 1 || Math.abs(element.scrollTop - this.#placed) > 1) this.exact = element.scrollTop * scale;
      report(this.exact, false);
    };
    report(this.exact, false);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }
}
