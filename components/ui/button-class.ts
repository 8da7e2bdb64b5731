import { cva } from 'class-variance-authority';

/** The button style for links: `<Link className={buttonClass({ variant })}>`. */
export const buttonClass = cva(
  'inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md border font-medium transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-50 aria-busy:cursor-progress [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'border-transparent bg-ink text-ink-inverse hover:bg-ink/88',
        secondary: 'border-line-strong/50 bg-surface text-ink hover:border-line-strong hover:bg-hover',
        ghost: 'border-transparent text-ink hover:bg-hover',
        danger: 'border-transparent bg-danger-solid text-white hover:bg-danger-solid/88',
      },
      size: {
        sm: 'h-8 px-3 text-sm',
        md: 'h-9 px-4 text-sm',
        lg: 'h-11 px-5 text-base',
      },
    },
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
);
