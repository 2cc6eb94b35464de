//! Self-contained HTML pages.
//!
//! In: a title and markup. Out: one HTML file with its styles inside. Always: a page loads nothing
//! from anywhere and runs no script; all text is escaped; it is readable on light and dark screens.

pub mod plot;

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Colours of series, as CSS classes `s0` to `s7` in [`STYLE`]; told apart by colour-blind readers.
pub const SERIES: usize = 8;

const STYLE: &str = include_str!("style.css");

/// A whole page.
#[must_use]
pub fn page(title: &str, body: &Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // No request for an icon either.
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { main { (body) } }
        }
    }
    .into_string()
}
