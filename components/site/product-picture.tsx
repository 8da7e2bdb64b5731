import usageDark from './pictures/usage-dark.webp';
import usageLight from './pictures/usage-light.webp';

const ALT =
  'The usage page: spend, calls and success rate of the last 30 days, and a chart of the spend by tool.';

/** The dashboard as `npm run pictures` took it from a running gateway, in the reader's theme. */
export function ProductPicture() {
  return (
    <section aria-labelledby="see" className="flex flex-col gap-6">
      <div className="flex flex-col gap-2">
        <h2 id="see" className="text-2xl">
          See every call and every cent
        </h2>
        <p className="max-w-2xl text-muted">
          Spend by tool and by key, each call with its request id, price and error, limits that hold, and
          invoices. This is the usage page, with sample data.
        </p>
      </div>
      {/* A phone shows the figures and the chart at a size that can be read, without the sidebar. */}
      <div className="overflow-hidden rounded-lg border max-sm:h-112">
        {/* Hidden ones are not loaded: they are lazy. */}
        <Picture image={usageLight} className="dark:hidden" />
        <Picture image={usageDark} className="hidden dark:block" />
      </div>
    </section>
  );
}

function Picture({ image, className }: { image: typeof usageLight; className: string }) {
  return (
    // biome-ignore lint/performance/noImgElement: /_next/image is closed
    <img
      src={image.src}
      width={image.width}
      height={image.height}
      alt={ALT}
      loading="lazy"
      decoding="async"
      className={`h-auto max-sm:-ml-44 max-sm:w-240 max-sm:max-w-none sm:w-full ${className}`}
    />
  );
}
