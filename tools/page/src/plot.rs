//! Plots as SVG.
//!
//! In: numbers with names. Out: markup. Always: coordinates are finite, whatever the numbers are;
//! every mark has a title that a browser shows as a tooltip.

use maud::{Markup, html};

use crate::SERIES;

/// A value with its range.
#[derive(Clone, Copy, Debug)]
pub struct Bar {
    /// The value.
    pub value: f64,
    /// The lower end of its spread.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Bars that belong together.
pub struct Group {
    /// What they are of.
    pub name: String,
    /// One a series; `None` where there is no number.
    pub bars: Vec<Option<Bar>>,
}

const WIDTH: f64 = 980.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 90.0;

fn class(series: usize) -> String {
    format!("s{}", series % SERIES)
}

/// What each colour stands for.
#[must_use]
pub fn legend(names: &[String]) -> Markup {
    html! {
        div class="legend" {
            @for (i, name) in names.iter().enumerate() {
                span {
                    svg viewBox="0 0 12 12" { rect class=(class(i)) width="12" height="12" rx="2" {} }
                    (name)
                }
            }
        }
    }
}

/// 1, 2, 5, 10, ... that cover a range.
fn log_ticks(low: f64, high: f64) -> Vec<f64> {
    let mut ticks = Vec::new();
    let mut decade = 10f64.powf(low.log10().floor());
    let few = (high / low).log10() > 3.0;
    while decade <= high && ticks.len() < 40 {
        for step in [1.0, 2.0, 5.0] {
            let at = decade * step;
            if (low..=high).contains(&at) && (step < 1.5 || !few) {
                ticks.push(at);
            }
        }
        decade *= 10.0;
    }
    ticks
}

/// A number as short as it can be read.
#[must_use]
pub fn short(x: f64) -> String {
    let a = x.abs();
    if a >= 1e6 {
        format!("{:.1}M", x / 1e6)
    } else if a >= 1e4 {
        format!("{:.0}k", x / 1e3)
    } else if a >= 100.0 {
        format!("{x:.0}")
    } else if a >= 10.0 {
        format!("{x:.1}")
    } else if a >= 0.1 || a == 0.0 {
        trimmed(format!("{x:.2}"))
    } else {
        trimmed(format!("{x:.4}"))
    }
}

fn trimmed(text: String) -> String {
    let shorter = text.trim_end_matches('0').trim_end_matches('.');
    if shorter.is_empty() {
        text
    } else {
        shorter.to_owned()
    }
}

/// Horizontal bars of ratios on a logarithmic scale, from 1 on: to the right is better.
#[must_use]
pub fn ratio_bars(groups: &[Group], series: &[String]) -> Markup {
    let all = || groups.iter().flat_map(|g| g.bars.iter().flatten());
    let usable = |x: f64| x.is_finite() && x > 0.0;
    let low = all().map(|b| b.low.min(b.value)).filter(|&x| usable(x));
    let low = low.fold(1.0, f64::min) / 1.15;
    let high = all().map(|b| b.high.max(b.value)).filter(|&x| usable(x));
    let high = high.fold(1.0, f64::max) * 1.15;
    let span = (high / low).ln();
    let x = |v: f64| {
        let v = if usable(v) { v } else { low };
        LEFT + (v / low).ln() / span * (WIDTH - LEFT - RIGHT)
    };
    let rows: usize = groups
        .iter()
        .map(|g| g.bars.iter().flatten().count().max(1))
        .sum();
    let height = rows as f64 * 15.0 + groups.len() as f64 * 10.0 + 34.0;
    let mut y = 8.0;
    html! {
        svg viewBox={ "0 0 " (WIDTH) " " (height) } role="img" {
            @for tick in log_ticks(low, high) {
                line class=(if tick == 1.0 { "one" } else { "grid" }) x1=(px(x(tick))) x2=(px(x(tick))) y1="4" y2=(px(height - 24.0)) {}
                text class="dim" x=(px(x(tick))) y=(px(height - 8.0)) text-anchor="middle" { (short(tick)) "x" }
            }
            @for group in groups {
                @let present: Vec<(usize, Bar)> = group.bars.iter().enumerate().filter_map(|(i, b)| b.map(|b| (i, b))).collect();
                @let tall = present.len().max(1) as f64 * 15.0;
                text x=(LEFT - 10.0) y=(px(y + tall / 2.0 + 4.0)) text-anchor="end" { (group.name) }
                @if present.is_empty() {
                    text class="dim" x=(px(x(1.0) + 6.0)) y=(px(y + 11.0)) { "no ratio" }
                }
                @for (row, (i, bar)) in present.iter().enumerate() {
                    @let top = y + row as f64 * 15.0;
                    @let (a, b) = (x(1.0).min(x(bar.value)), x(1.0).max(x(bar.value)));
                    g {
                        title { (group.name) ", " (series.get(*i).map_or("", |s| s)) ": " (short(bar.value)) "x (" (short(bar.low)) " to " (short(bar.high)) ")" }
                        rect class=(class(*i)) x=(px(a)) y=(px(top + 1.0)) width=(px((b - a).max(1.0))) height="12" rx="2" {}
                        line class="whisker" x1=(px(x(bar.low))) x2=(px(x(bar.high))) y1=(px(top + 7.0)) y2=(px(top + 7.0)) {}
                        text x=(px(b.max(x(bar.high)) + 6.0)) y=(px(top + 11.0)) { (short(bar.value)) "x" }
                    }
                }
                @let _ = { y += tall + 10.0; };
            }
        }
    }
}

fn px(x: f64) -> String {
    if x.is_finite() {
        format!("{x:.1}")
    } else {
        "0".to_owned()
    }
}

/// A line: points of time and value.
pub struct Curve {
    /// What it is of.
    pub name: String,
    /// Its colour.
    pub series: usize,
    /// Points, in order.
    pub points: Vec<(f64, f64)>,
}

/// Lines over time, both scales logarithmic.
#[must_use]
pub fn curves(all: &[Curve], x_name: &str, y_name: &str) -> Markup {
    const HEIGHT: f64 = 330.0;
    const BOTTOM: f64 = 40.0;
    let usable = |p: &&(f64, f64)| p.0 > 0.0 && p.1 > 0.0 && p.0.is_finite() && p.1.is_finite();
    let points = || all.iter().flat_map(|c| c.points.iter()).filter(usable);
    if points().next().is_none() {
        return html! { p class="dim" { "no steps were seen" } };
    }
    let range = |of: fn(&(f64, f64)) -> f64| {
        let low = points().map(of).fold(f64::INFINITY, f64::min);
        let high = points().map(of).fold(0.0, f64::max);
        (low / 1.1, (high * 1.1).max(low * 1.3))
    };
    let ((x0, x1), (y0, y1)) = (range(|p| p.0), range(|p| p.1));
    let (left, right) = (70.0, 20.0);
    let x = |v: f64| left + (v / x0).ln() / (x1 / x0).ln() * (WIDTH - left - right);
    let y = |v: f64| HEIGHT - BOTTOM - (v / y0).ln() / (y1 / y0).ln() * (HEIGHT - BOTTOM - 12.0);
    html! {
        svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" {
            @for tick in log_ticks(x0, x1) {
                line class="grid" x1=(px(x(tick))) x2=(px(x(tick))) y1="12" y2=(px(HEIGHT - BOTTOM)) {}
                text class="dim" x=(px(x(tick))) y=(px(HEIGHT - BOTTOM + 16.0)) text-anchor="middle" { (short(tick)) }
            }
            @for tick in log_ticks(y0, y1) {
                line class="grid" x1=(px(left)) x2=(px(WIDTH - right)) y1=(px(y(tick))) y2=(px(y(tick))) {}
                text class="dim" x=(px(left - 6.0)) y=(px(y(tick) + 4.0)) text-anchor="end" { (short(tick)) }
            }
            text class="dim" x=(px((WIDTH + left) / 2.0)) y=(px(HEIGHT - 6.0)) text-anchor="middle" { (x_name) }
            text class="dim" x="14" y=(px(HEIGHT / 2.0)) text-anchor="middle" transform={ "rotate(-90 14 " (HEIGHT / 2.0) ")" } { (y_name) }
            @for curve in all {
                @let path: Vec<String> = curve.points.iter().filter(usable).map(|p| format!("{},{}", px(x(p.0)), px(y(p.1)))).collect();
                polyline class={ "curve l" (curve.series % SERIES) } points=(path.join(" ")) { title { (curve.name) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_give_no_odd_coordinates() {
        let bar = |value| {
            Some(Bar {
                value,
                low: value,
                high: value,
            })
        };
        let groups = [
            Group {
                name: "a<b".into(),
                bars: vec![bar(f64::NAN), bar(0.0), None],
            },
            Group {
                name: "c".into(),
                bars: vec![bar(1e9), bar(f64::INFINITY), bar(2.0)],
            },
        ];
        let text = ratio_bars(&groups, &["x".into(), "y".into(), "z".into()]).into_string();
        assert!(!text.contains("NaN\"") && !text.contains("inf\""), "{text}");
        assert!(text.contains("a&lt;b"));
        let points = vec![(0.0, 1.0), (1.0, f64::NAN), (2.0, 3.0), (2.0, 3.0)];
        let curve = Curve {
            name: "n".into(),
            series: 9,
            points,
        };
        let text = curves(&[curve], "s", "steps").into_string();
        assert!(
            text.contains("class=\"curve l1\"") && !text.contains("NaN"),
            "{text}"
        );
    }

    #[test]
    fn numbers_are_short() {
        let all = [
            (1.0, "1"),
            (0.1, "0.1"),
            (12.34, "12.3"),
            (42_500.0, "42k"),
            (0.0012, "0.0012"),
            (1e-9, "0"),
        ];
        for (x, text) in all {
            assert_eq!(short(x), text);
        }
    }
}
