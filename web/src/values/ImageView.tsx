// An array as an image, drawn pixel by pixel; or why it can't be.

import { useEffect, useRef } from "react";
import { State } from "../parts/marks";
import { useAnswer } from "../state/requests";
import styles from "./image.module.css";
import type { OpenedProps } from "./registry";

/** Pixels of the screen for the longer side. */
const LARGE = 256;

export default function ImageView({ value, path, time }: OpenedProps) {
  const found = useAnswer("objects/{object}/image", { object: value.object, time });
  const canvas = useRef<HTMLCanvasElement | null>(null);
  const image = found.data;
  useEffect(() => {
    if (!image?.pixels.length) return;
    const context = canvas.current?.getContext("2d");
    context?.putImageData(new ImageData(Uint8ClampedArray.from(image.pixels), image.width, image.height), 0, 0);
  }, [image]);
  if (found.error) return <State kind="error">{found.error}</State>;
  if (!image) return <State kind="loading">Loading…</State>;
  if (image.trouble)
    return (
      <p className={styles.trouble} role="status" data-testid="no-image">
        {path} can't be shown as an image: {image.trouble}.
      </p>
    );
  const scale = Math.max(Math.floor(LARGE / Math.max(image.width, image.height)), 1);
  const size = `${image.width} by ${image.height} pixels`;
  return (
    <figure className={styles.figure} data-testid="image">
      <canvas
        ref={canvas}
        className={styles.image}
        width={image.width}
        height={image.height}
        style={{ width: image.width * scale, height: image.height * scale }}
        role="img"
        aria-label={`${path} as an image, ${size}`}
      />
      <figcaption>
        {size}; {image.scale}
      </figcaption>
    </figure>
  );
}
