import type Sigma from "sigma";

const SLOW_MS = 34; // a drawing that takes longer is not drawn thirty times a second
const REST_MS = 160; // after the last movement, until it is drawn anew
const SHARE = 4; // of a long movement at most one part in so many is spent on drawing

interface Point {
  readonly x: number;
  readonly y: number;
}

/** How a picture lies on the frame: enlarged by `scale`, its upper left corner at `x` and `y`, in pixels. */
interface Shift extends Point {
  readonly scale: number;
}

const NO_SHIFT: Shift = { x: 0, y: 0, scale: 1 };

/** Return the shift that brings two points from where they were drawn to where they belong; they do not coincide. */
export function shiftBetween(before: readonly [Point, Point], after: readonly [Point, Point]): Shift {
  const length = ([one, other]: readonly [Point, Point]) => Math.hypot(one.x - other.x, one.y - other.y);
  const scale = length(after) / length(before);
  return { x: after[0].x - scale * before[0].x, y: after[0].y - scale * before[0].y, scale };
}

/** Return where a point of the frame lies on the picture before it was shifted. */
export function beforeShift<Place extends Point>(place: Place, { x, y, scale }: Shift): Place {
  return { ...place, x: (place.x - x) / scale, y: (place.y - y) / scale };
}

interface Picking {
  getNodeAtPosition: (place: Point) => string | null;
}

/**
 * While the camera moves, have the picture of a drawing moved as a whole where drawing it anew takes too long.
 *
 * It is drawn anew at rest, and now and then before. `isShiftable` says whether the drawing is large enough.
 */
export function shiftWhereSlow(sigma: Sigma, isShiftable: () => boolean): void {
  const camera = sigma.getCamera();
  const picking = sigma as unknown as Picking; // which reads what was drawn last, so not where it was shifted to
  const pick = picking.getNodeAtPosition.bind(sigma);
  const layers = Object.entries(sigma.getCanvases()).flatMap(([name, canvas]) =>
    name === "mouse" ? [] : [canvas],
  );
  let [drawn, shift] = [camera.getState(), NO_SHIFT];
  let [began, took, shiftedSince, timer] = [0, 0, 0, 0];

  const put = (next: Shift) => {
    if (next === shift) return;
    if (shift === NO_SHIFT) shiftedSince = performance.now();
    shift = next;
    const text = next === NO_SHIFT ? "" : `translate(${next.x}px, ${next.y}px) scale(${next.scale})`;
    for (const { style } of layers) {
      style.transformOrigin = "0 0";
      style.transform = text;
    }
  };
  const cornersAs = (cameraState: typeof drawn) =>
    [
      sigma.framedGraphToViewport({ x: 0, y: 0 }, { cameraState }),
      sigma.framedGraphToViewport({ x: 1, y: 1 }, { cameraState }),
    ] as const;
  const move = () => {
    const now = camera.getState();
    clearTimeout(timer);
    if (took <= SLOW_MS || now.angle !== drawn.angle || !isShiftable()) {
      sigma.scheduleRender();
      return;
    }
    put(shiftBetween(cornersAs(drawn), cornersAs(now)));
    const isDue = performance.now() - shiftedSince > took * SHARE;
    timer = window.setTimeout(() => sigma.scheduleRender(), isDue ? 0 : REST_MS);
  };

  picking.getNodeAtPosition = (place) => pick(beforeShift(place, shift));
  camera.removeAllListeners("updated"); // by which it is drawn anew each time
  camera.on("updated", move);
  sigma.on("beforeRender", () => {
    clearTimeout(timer);
    began = performance.now();
    drawn = camera.getState();
    put(NO_SHIFT);
  });
  sigma.on("afterRender", () => {
    const since = began;
    requestAnimationFrame(() => {
      if (since === began) took = performance.now() - since;
    });
  });
  sigma.on("kill", () => clearTimeout(timer));
}
